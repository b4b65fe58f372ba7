import { dirname, isAbsolute, join } from 'node:path';
import type { CommandLineResource } from './command-line.ts';
import { ResourceDatabase } from './database.ts';
import { parseResourceLine, parseResources } from './resource-syntax.ts';
import { expandSearchPath } from './search-path.ts';

/** The inputs of the sources; any may be missing at run time. */
export interface ResourceHost {
  environment: Readonly<Record<string, string | undefined>>;
  hostName: string;
  /** File content as latin1, undefined when there is no readable file. */
  readFile(path: string): string | undefined;
  /** Properties of the root window that `xrdb` writes; undefined when unset or without a server. */
  resourceManager: string | undefined;
  screenResources: string | undefined;
}

/** Instance and class name at the head of every resource path. */
export interface ProgramName {
  instance: string;
  class: string;
}

/** Where class defaults lie unless XFILESEARCHPATH says otherwise: Debian's order of X Toolkit directories. */
const DEFAULT_FILE_SEARCH_PATH = ['/etc/X11', '/usr/share/X11', '/usr/lib/X11']
  .flatMap((root) =>
    ['%L/%T/%N%C', '%l/%T/%N%C', '%T/%N%C', '%L/%T/%N', '%l/%T/%N', '%T/%N'].map((path) => `${root}/${path}%S`),
  )
  .join(':');

const FILES_OF_A_USER = ['%L/%N%C', '%l/%N%C', '%N%C', '%L/%N', '%l/%N', '%N'];

/** Collects the resources of every source, weakest first; X Toolkit Intrinsics 2.3. */
export function collectResources(
  host: ResourceHost,
  program: ProgramName,
  commandLine: readonly CommandLineResource[],
): ResourceDatabase {
  const database = new ResourceDatabase();
  const putText = (text: string, source: string, directory: string): void => {
    const include = (file: string): string | undefined =>
      host.readFile(isAbsolute(file) ? file : join(directory, file));
    for (const entry of parseResources(text, include)) database.put(entry, source);
  };
  const putFirstFile = (paths: readonly string[]): void => {
    for (const path of paths) {
      const text = host.readFile(path);
      if (text === undefined) continue;
      putText(text, path, dirname(path));
      return;
    }
  };
  const { environment } = host;
  const home = environment['HOME'] ?? '/';
  // The customization resource selects the file, so it is taken from the earlier sources: server and command line.
  const early = new ResourceDatabase();
  for (const entry of parseResources(host.resourceManager ?? '')) early.put(entry, 'RESOURCE_MANAGER');
  putCommandLine(early, program, commandLine);
  const customization =
    early.lookup({ names: [program.instance, 'customization'], classes: [program.class, 'Customization'] })?.value ??
    '';
  const language = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || '';
  const substitutions = { name: program.class, type: 'app-defaults', customization, language };

  putFirstFile(expandSearchPath(environment['XFILESEARCHPATH'] ?? DEFAULT_FILE_SEARCH_PATH, substitutions));
  putFirstFile(expandSearchPath(userSearchPath(environment, home), substitutions));
  if (host.resourceManager !== undefined) putText(host.resourceManager, 'RESOURCE_MANAGER', home);
  else putFirstFile([join(home, '.Xdefaults')]);
  if (host.screenResources !== undefined) putText(host.screenResources, 'SCREEN_RESOURCES', home);
  putFirstFile([environment['XENVIRONMENT'] ?? join(home, `.Xdefaults-${host.hostName}`)]);
  putCommandLine(database, program, commandLine);
  return database;
}

function userSearchPath(environment: ResourceHost['environment'], home: string): string {
  const path = environment['XUSERFILESEARCHPATH'];
  if (path !== undefined) return path;
  const directory = environment['XAPPLRESDIR'];
  const inDirectory = directory === undefined ? [] : FILES_OF_A_USER.map((file) => join(directory, file));
  return [...inDirectory, join(home, '%N%C'), join(home, '%N')].join(':');
}

/** Options name their resource exactly, so that no line of a file overrides them. */
function putCommandLine(
  database: ResourceDatabase,
  { instance }: ProgramName,
  resources: readonly CommandLineResource[],
): void {
  for (const resource of resources) {
    if (resource.kind === 'line') {
      const entry = parseResourceLine(resource.line);
      if (entry !== undefined) database.put(entry, 'command line: -xrm');
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
