import { hostname } from 'node:os';
import { termprogResources } from '../../schemas/termprog/index.ts';
import { createDiagnostics, type Diagnostics } from './diagnostics.ts';
import { homeFolder, readFile } from './host-facts.ts';
import { LiveOptions } from './options/live-options.ts';
import { unknownNames } from './permissions/operation-names.ts';
import type { ServerResources } from './server-resources.ts';
import type { CommandLine } from './xresource/command-line.ts';
import { createLookup } from './xresource/lookup.ts';
import { formatReport } from './xresource/report-config.ts';
import { type ResolvedResource, reportFindings, resolveResources } from './xresource/resolve-resources.ts';
import { createReader, readSeverity } from './xresource/settings.ts';
import { collectResources, localeOf, type ProgramName } from './xresource/sources.ts';

/** Default instance and class. @spec termprog */
const DEFAULT_NAME: ProgramName = { instance: 'term', class: 'Term' };

/** Resources of a missing server. */
export const NO_SERVER: ServerResources = {
  properties: { resourceManager: undefined, screenResources: undefined },
  problems: [],
};

export interface ConfigurationContext {
  commandLine: CommandLine;
  environment: Readonly<Record<string, string | undefined>>;
  /** Writes to the standard error stream, while it has a reader. */
  complain(text: string): void;
}

export type Configuration = ReturnType<typeof configure>;

/** Reads the resources of all sources, and reports faults in them. */
export function configure({ commandLine, environment, complain }: ConfigurationContext, server: ServerResources) {
  const name: ProgramName = {
    instance: commandLine.name ?? (environment['RESOURCE_NAME'] || DEFAULT_NAME.instance),
    class: commandLine.class ?? DEFAULT_NAME.class,
  };
  const host = {
    environment,
    home: homeFolder(environment),
    hostName: hostname(),
    readFile: (path: string, report?: (obstacle: string) => void) => readFile(path, report)?.toString('latin1'),
    ...server.properties,
  };
  const { database, problems, sources } = collectResources(host, name, commandLine.resources);
  const resolved = resolveResources(termprogResources, database, name);
  const diagnostics = createDiagnostics(readSeverity(resolved), complain);
  for (const problem of [...server.problems, ...problems]) diagnostics.warning(problem);
  reportFindings(resolved, name, diagnostics);
  logSources(diagnostics, sources, resolved);
  const reader = createReader(resolved);
  const options = new LiveOptions(resolved);
  for (const message of unknownNames(options)) diagnostics.warning(message);
  return {
    name,
    resolved,
    sources,
    diagnostics,
    reader,
    locale: localeOf(environment, reader.text('xnlLanguage')),
    options,
    resources: createLookup(
      database,
      name,
      (language) => collectResources(host, name, commandLine.resources, language).database,
    ),
    report: (note?: string) => formatReport(resolved, name, note),
  };
}

/** Logs the sources of the resources, and at `debug` the origin of each set one. Values are private and not logged. */
function logSources(diagnostics: Diagnostics, sources: readonly string[], resolved: readonly ResolvedResource[]): void {
  diagnostics.info(sources.length === 0 ? 'no file or property has resources' : `resources from ${sources.join(', ')}`);
  for (const { row, origin } of resolved) {
    if (origin !== undefined) diagnostics.debug(`${row.name} is set by ${origin.source}: ${origin.specifier}`);
  }
}
