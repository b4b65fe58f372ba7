import { type ComposeFile, type ComposeSystem, localeComposePath, localeFolder } from './compose-files.ts';
import { parseComposeLine } from './compose-line.ts';
import { type ComposeKey, type ComposeResult, ComposeTable } from './compose-table.ts';

/** Files that include each other, in a row. */
const INCLUDES_MAX = 16;
/** Files altogether: a file may include many, each of which includes many. */
const FILES_MAX = 64;
const SEQUENCES_MAX = 65_536;

/** Faults that are told; more are counted. */
const TOLD_MAX = 8;

const LINE_FEED = 0x0a;

/** Lines between two points at which reading may pause. */
const SLICE_LINES = 50;

interface Load {
  system: ComposeSystem;
  table: ComposeTable;
  files: number;
  faults: number;
  isFull: boolean;
  warn(message: string): void;
}

/**
 * Reads a Compose file and those it includes. It pauses at each `yield`, so that a long file need not be read at once.
 * Faults are told with file and line.
 */
export function* loadCompose(
  file: ComposeFile,
  system: ComposeSystem,
  warn: (message: string) => void,
): Generator<undefined, ComposeTable> {
  const load: Load = { system, table: new ComposeTable(), files: 0, faults: 0, isFull: false, warn };
  if (file.content === undefined) warn(`${file.path}: can't be read`);
  else yield* readContent(load, file.path, file.content, []);
  if (load.faults > TOLD_MAX) warn(`${file.path}: ${load.faults - TOLD_MAX} more faults are not told`);
  return load.table;
}

function* readContent(load: Load, path: string, content: Buffer, above: readonly string[]): Generator<undefined> {
  load.files += 1;
  // Line by line: all lines at once would be as many objects that live long.
  for (let number = 1, at = 0; at <= content.length; number += 1) {
    if (number % SLICE_LINES === 0) yield;
    if (load.isFull) return;
    const found = content.indexOf(LINE_FEED, at);
    const end = found < 0 ? content.length : found;
    const line = parseComposeLine(content.toString('utf8', at, end));
    const tell = (problem: string): void => tellFault(load, `${path}:${number}: ${problem}`);
    at = end + 1;
    if (line.kind === 'sequence') addSequence(load, line, tell);
    else if (line.kind === 'include') yield* include(load, line.path, { above: [...above, path], tell });
    else if (line.kind === 'problem') tell(line.problem);
  }
}

function addSequence(
  load: Load,
  { keys, result }: { keys: ComposeKey[]; result: ComposeResult },
  tell: (problem: string) => void,
): void {
  if (load.table.count < SEQUENCES_MAX) load.table.add(keys, result);
  else {
    load.isFull = true;
    tell(`there are more than ${SEQUENCES_MAX} sequences; the rest is left out`);
  }
}

/** @param place files that are being read, from the first on, and who is told of a fault of the line */
function* include(
  load: Load,
  written: string,
  { above, tell }: { above: readonly string[]; tell(problem: string): void },
): Generator<undefined> {
  const path = expandPath(written, load.system);
  if (above.includes(path)) return tell(`${path} includes itself`);
  if (above.length > INCLUDES_MAX || load.files >= FILES_MAX) return tell('includes too many files');
  const content = load.system.readFile(path);
  if (content === undefined) return tell(`${path} can't be read`);
  yield* readContent(load, path, content, above);
}

/** `%H` is the home folder, `%L` the locale's file, `%S` the folder of locales. */
function expandPath(path: string, system: ComposeSystem): string {
  return path.replace(/%[HLS%]/g, (code) => {
    if (code === '%H') return system.home;
    if (code === '%L') return localeComposePath(system);
    return code === '%S' ? localeFolder(system) : '%';
  });
}

function tellFault(load: Load, fault: string): void {
  load.faults += 1;
  if (load.faults <= TOLD_MAX) load.warn(fault);
}

/** The locale's file. */
export function localeComposeFile(system: ComposeSystem): ComposeFile {
  const path = localeComposePath(system);
  return { path, isOwn: false, content: system.readFile(path) };
}
