import { type ComposeFile, type ComposeSystem, localeComposePath, localeFolder } from './compose-files.ts';
import { parseComposeLine } from './compose-line.ts';
import { type ComposeKey, type ComposeResult, ComposeTable } from './compose-table.ts';

/** Most levels of files that include each other. */
const INCLUDES_MAX = 16;
/** Most files in total, including unreadable ones: a file may include many, each of which includes many. */
const FILES_MAX = 64;
/** Longest name of a file; limits.h, PATH_MAX. */
const PATH_MAX = 4_096;
const SEQUENCES_MAX = 65_536;

/** Most faults that are logged; further ones are counted. */
const TOLD_MAX = 8;
/** Characters of a fault that are logged: a line may be one word of megabytes. */
const FAULT_MAX = 8_192;

const LINE_FEED = 0x0a;

/** Lines between two points at which loading may pause. */
const SLICE_LINES = 50;

interface Load {
  system: ComposeSystem;
  table: ComposeTable;
  files: number;
  /** The locale's file, once it was looked up. */
  localePath: string | undefined;
  faults: number;
  isFull: boolean;
  warn(message: string): void;
}

/**
 * Loads a Compose file and those it includes. It pauses at each `yield`, so that a long file need not be loaded in one
 * turn. Faults are logged with file and line.
 */
export function* loadCompose(
  file: ComposeFile,
  system: ComposeSystem,
  warn: (message: string) => void,
): Generator<undefined, ComposeTable> {
  const load: Load = {
    system,
    table: new ComposeTable(),
    files: 1,
    localePath: undefined,
    faults: 0,
    isFull: false,
    warn,
  };
  if (file.content === undefined) warn(`${file.path}: can't be read`);
  else yield* readContent(load, file.path, file.content, []);
  if (load.faults > TOLD_MAX) warn(`${file.path}: ${load.faults - TOLD_MAX} more faults are not shown`);
  return load.table;
}

function* readContent(load: Load, path: string, content: Buffer, above: readonly string[]): Generator<undefined> {
  // The content is decoded line by line: all lines at once would be as many long-lived objects.
  for (let number = 1, at = 0; at <= content.length; number += 1) {
    if (number % SLICE_LINES === 0) yield;
    if (load.isFull) return;
    const found = content.indexOf(LINE_FEED, at);
    const end = found < 0 ? content.length : found;
    const line = parseComposeLine(content.toString('utf8', at, end));
    const report = (problem: string): void => reportFault(load, `${path}:${number}: ${problem}`);
    at = end + 1;
    if (line.kind === 'sequence') addSequence(load, line, report);
    else if (line.kind === 'include') yield* include(load, line.path, { above: [...above, path], report });
    else if (line.kind === 'problem') report(line.problem);
  }
}

function addSequence(
  load: Load,
  { keys, result }: { keys: ComposeKey[]; result: ComposeResult },
  report: (problem: string) => void,
): void {
  if (load.table.count < SEQUENCES_MAX) load.table.add(keys, result);
  else {
    load.isFull = true;
    report(`there are more than ${SEQUENCES_MAX} sequences; the rest is left out`);
  }
}

/** @param place the files that are being read, the first one first, and the callback for a fault of the line */
function* include(
  load: Load,
  written: string,
  { above, report }: { above: readonly string[]; report(problem: string): void },
): Generator<undefined> {
  if (load.files >= FILES_MAX) return report('includes too many files');
  load.files += 1;
  const path = written.length > PATH_MAX ? '' : expandPath(written, load);
  if (path === '' || path.length > PATH_MAX)
    return report(`names a file with none or more than ${PATH_MAX} characters`);
  if (above.includes(path)) return report(`${path} includes itself`);
  if (above.length > INCLUDES_MAX) return report('includes too many files');
  const content = load.system.readFile(path);
  if (content === undefined) return report(`${path} can't be read`);
  yield* readContent(load, path, content, above);
}

/** Expands `%H` to the home folder, `%L` to the locale's file, `%S` to the folder of locales. */
function expandPath(path: string, load: Load): string {
  const { system } = load;
  return path.replace(/%[HLS%]/g, (code) => {
    if (code === '%H') return system.home;
    if (code === '%L') {
      load.localePath ??= localeComposePath(system);
      return load.localePath;
    }
    return code === '%S' ? localeFolder(system) : '%';
  });
}

function reportFault(load: Load, fault: string): void {
  load.faults += 1;
  if (load.faults <= TOLD_MAX) load.warn(fault.length > FAULT_MAX ? `${fault.slice(0, FAULT_MAX)}…` : fault);
}

/** Reads the locale's file. */
export function localeComposeFile(system: ComposeSystem): ComposeFile {
  const path = localeComposePath(system);
  return { path, isOwn: false, content: system.readFile(path) };
}
