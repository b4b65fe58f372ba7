import type { CommandLineResource } from './command-line.ts';
import { encodeBytes } from './decode-bytes.ts';
import { NO_FILE, type TextOrigin } from './inclusion.ts';
import { ResourceDatabase } from './resource-database.ts';
import { parseResourceLine, parseResources, type ResourceEntry } from './resource-syntax.ts';
import { expandSearchPath } from './search-path.ts';

/** The inputs of the sources; any may be missing at run time. */
export interface ResourceHost {
  environment: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  home: string;
  hostName: string;
  /**
   * Returns file content as latin1; undefined if there is no readable file; `fail` gets the reason for an existing one.
   */
  readFile(path: string, fail?: (obstacle: string) => void): string | undefined;
  /** Properties of the root window that `xrdb` writes; undefined when unset or without a server. */
  resourceManager: string | undefined;
  screenResources: string | undefined;
}

/** Instance and class name at the head of every resource path. */
export interface ProgramName {
  instance: string;
  class: string;
}

/** Handles the inclusions of command line entries, and their faults. */
type LineOrigin = Required<Pick<TextOrigin, 'read' | 'report'>>;

/** The resources of all sources together. */
export interface CollectedResources {
  database: ResourceDatabase;
  /** Faults in the sources, a line each. */
  problems: readonly string[];
  /** Files and properties that were read, the strongest first. */
  sources: readonly string[];
}

/** Search path for class defaults if XFILESEARCHPATH is not set: libXt's own default. */
const DEFAULT_FILE_SEARCH_PATH = ['/etc/X11', '/usr/share/X11', '/usr/lib/X11']
  .flatMap((root) =>
    ['%L/%T/%N%C', '%l/%T/%N%C', '%T/%N%C', '%L/%T/%N', '%l/%T/%N', '%T/%N'].map((path) => `${root}/${path}%S`),
  )
  .join(':');

/**
 * Collects the resources of every source, in the order of X Toolkit Intrinsics 2.3; decision 85.
 * @param menuLanguage locale whose class defaults apply, in place of the program's own
 */
export function collectResources(
  host: ResourceHost,
  program: ProgramName,
  commandLine: readonly CommandLineResource[],
  menuLanguage?: string,
): CollectedResources {
  const database = new ResourceDatabase();
  const problems: string[] = [];
  const sources: string[] = [];
  const read = (bytes: string, source: string, file?: string): ResourceEntry[] =>
    parseResources(bytes, {
      ...(file !== undefined && { file }),
      read: (path, fail) => host.readFile(path, fail),
      report: (problem) => problems.push(`resources of ${source}: ${problem}`),
    });
  const ask = (name: string, className: string): string | undefined =>
    database.lookup({ names: [program.instance, name], classes: [program.class, className] })?.value;
  /** @param obstacle reason to report for a missing file; omitted for an optional one */
  const readFile = (path: string, obstacle?: string): string | undefined => {
    let why = obstacle;
    const bytes = host.readFile(path, (found) => {
      why = found;
    });
    if (bytes === undefined && why !== undefined) problems.push(`resources of ${path} have no effect: ${why}`);
    return bytes;
  };
  /** Reads the first existing file; its entries are weaker than those in the database. */
  const addFirstFile = (paths: readonly string[], obstacle?: string): readonly ResourceEntry[] => {
    for (const path of paths) {
      const bytes = readFile(path, obstacle);
      if (bytes === undefined) continue;
      const entries = read(bytes, path, path);
      database.putBelow(entries, path);
      sources.push(path);
      return entries;
    }
    return [];
  };
  const addProperty = (bytes: string, property: string): readonly ResourceEntry[] => {
    const entries = read(bytes, property);
    database.putBelow(entries, property);
    sources.push(property);
    return entries;
  };
  const { environment, home } = host;
  // Sources are read from the strongest to the weakest, because each may set the place of those after it.
  putCommandLine(database, program, commandLine, {
    read: (path, fail) => host.readFile(path, fail),
    report: (problem) => problems.push(problem),
  });
  const wanted = ask('xnlLanguage', 'XnlLanguage');
  const named = environment['XENVIRONMENT'];
  addFirstFile([named ?? `${home}/.Xdefaults-${host.hostName}`], named ? `XENVIRONMENT: ${NO_FILE}` : undefined);
  if (host.screenResources !== undefined) addProperty(host.screenResources, 'SCREEN_RESOURCES');
  const common =
    host.resourceManager === undefined
      ? addFirstFile([`${home}/.Xdefaults`])
      : addProperty(host.resourceManager, 'RESOURCE_MANAGER');
  // The toolkit sets its locale before it reads the other sources.
  const language = menuLanguage ?? localeOf(environment, wanted ?? languageIn(common, program));
  const filesOf = (searchPath: string, type?: string): string[] =>
    expandSearchPath(searchPath, {
      name: program.class,
      ...(type !== undefined && { type }),
      customization: ask('customization', 'Customization'),
      language,
      default: DEFAULT_FILE_SEARCH_PATH,
    });
  addFirstFile(filesOf(environment['XUSERFILESEARCHPATH'] ?? userSearchPath(environment['XAPPLRESDIR'], home)));
  addFirstFile(filesOf(environment['XFILESEARCHPATH'] ?? DEFAULT_FILE_SEARCH_PATH, 'app-defaults'));
  return { database, problems, sources };
}

/** Returns the name of the locale for characters, `C` if it is not set; `language` is the `xnlLanguage` resource. */
export function localeOf(environment: ResourceHost['environment'], language: string | undefined): string {
  return language || environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || 'C';
}

/** Returns the language that the entries set. */
function languageIn(entries: readonly ResourceEntry[], program: ProgramName): string | undefined {
  const database = new ResourceDatabase();
  database.putBelow(
    entries.filter(({ parts }) => /^xnlLanguage$/i.test(parts.at(-1)?.component ?? '')),
    '',
  );
  return database.lookup({ names: [program.instance, 'xnlLanguage'], classes: [program.class, 'XnlLanguage'] })?.value;
}

function userSearchPath(folder: string | undefined, home: string): string {
  const paths =
    folder === undefined
      ? ['%L/%N%C', '%l/%N%C', '%N%C', '%L/%N', '%l/%N', '%N'].map((path) => `${home}/${path}`)
      : [
          ...['%L/%N%C', '%l/%N%C', '%N%C'].map((path) => `${folder}/${path}`),
          `${home}/%N%C`,
          ...['%L/%N', '%l/%N', '%N'].map((path) => `${folder}/${path}`),
          `${home}/%N`,
        ];
  return paths.join(':');
}

/** Adds the command line's resources. Options name their resource exactly, so that no line of a file overrides them. */
function putCommandLine(
  database: ResourceDatabase,
  { instance }: ProgramName,
  resources: readonly CommandLineResource[],
  files: LineOrigin,
): void {
  for (const resource of resources) {
    if (resource.kind === 'line') {
      const entries = readLine(resource.line, files);
      for (const entry of entries) database.put(entry, 'command line: -xrm');
      continue;
    }
    const { row, value, spelling } = resource;
    for (const scope of row.lookup ?? [row.scope]) {
      const path = scope === 'vt100' ? [instance, 'vt100', row.name] : [instance, row.name];
      const parts = path.map((component) => ({ binding: 'tight' as const, component }));
      database.put({ specifier: path.join('.'), parts, value }, `command line: ${spelling}`);
    }
  }
}

/** Parses an `-xrm` line; one without an entry is reported, unless it is a comment or a directive. */
function readLine(line: string, { read, report }: LineOrigin): ResourceEntry[] {
  const entries = parseResourceLine(encodeBytes(line), { read, report: (problem) => report(`-xrm: ${problem}`) });
  if (entries.length === 0 && !/^[ \t]*[!#]/.test(line)) {
    report(`-xrm "${line}" sets no resource: expected NAME: VALUE, such as *title: Work`);
  }
  return entries;
}
