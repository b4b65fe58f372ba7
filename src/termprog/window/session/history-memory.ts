/** Line count above which the history's memory is reported. */
const TOLD_ABOVE_LINES = 1_000_000;

/** Memory of a line in the history, and of each of its cells. */
const LINE_BYTES = 500;
const CELL_BYTES = 16;

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** The warning about a very long history; undefined for shorter ones. @spec termprog#limits saveLines */
export function historyWarning(saveLines: number, columns: number): string | undefined {
  if (saveLines <= TOLD_ABOVE_LINES) return undefined;
  const bytes = saveLines * (LINE_BYTES + columns * CELL_BYTES);
  return `resource vt100.saveLines: ${saveLines} lines of ${columns} columns may take ${spellBytes(bytes)} of memory`;
}

function spellBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}
