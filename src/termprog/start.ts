import { hostname } from 'node:os';
import { join } from 'node:path';
import { termprogResources } from '../../schemas/termprog/index.ts';
import { createDiagnostics } from './diagnostics.ts';
import { DisplayUnavailableError } from './errors.ts';
import { currentShell, homeFolder, readFile } from './host-facts.ts';
import { LiveOptions } from './options/live-options.ts';
import { unknownNames } from './permissions/operation-names.ts';
import { childCommand } from './pty/child-command.ts';
import { loadLibc } from './pty/libc.ts';
import { readServerResources, type ServerResources } from './server-resources.ts';
import { loadKeymap } from './window/keyboard.ts';
import { internWindowAtoms } from './window/window-atoms.ts';
import type { XConnection } from './x11/connection.ts';
import { connectToDisplay } from './x11/open-display.ts';
import type { CommandLine } from './xresource/command-line.ts';
import { createLookup } from './xresource/lookup.ts';
import { formatReport } from './xresource/report-config.ts';
import { reportFindings, resolveResources } from './xresource/resolve.ts';
import { createReader, readSettings, readSeverity } from './xresource/settings.ts';
import { collectResources, localeOf, type ProgramName } from './xresource/sources.ts';

/** Default instance and class. @spec termprog */
const DEFAULT_NAME: ProgramName = { instance: 'term', class: 'Term' };

const NO_SERVER: ServerResources = {
  properties: { resourceManager: undefined, screenResources: undefined },
  problems: [],
};

export interface StartContext {
  commandLine: CommandLine;
  environment: Readonly<Record<string, string | undefined>>;
  /** Writes to the standard error stream, while it has a reader. */
  complain(text: string): void;
  /** Prints a report; the exit status. */
  print(text: string): Promise<number>;
  /** Everything is closed at once when this is aborted. */
  stop: AbortSignal;
}

/** Opens the terminal, or prints the report of its configuration; resolves with the exit status at the end. */
export async function start(context: StartContext): Promise<number> {
  const display = await tryDisplay(context);
  if (display instanceof Error) return startWithout(display, context);
  closeWhenAborted(context.stop, display);
  const asked = {
    resources: readServerResources(display),
    atoms: internWindowAtoms(display),
    keymap: loadKeymap(display),
  };
  // Callers that await an answer get its failure; before they do, the rejection must not end the program.
  for (const answer of Object.values<Promise<unknown>>(asked)) answer.catch(() => {});
  display.flush();
  // Loaded while the server answers.
  const { openTerminal } = await import('./window/open-terminal.ts');
  preloadLibc();
  const fromServer = await asked.resources.catch(unavailability);
  if (fromServer instanceof Error) return startWithout(fromServer, context);
  const configuration = configure(context, fromServer);
  const { reader, diagnostics, options, resources, name, locale } = configuration;
  if (reader.boolean('reportConfig')) {
    display.close();
    return context.print(configuration.report());
  }
  const { commandLine, environment, stop, complain } = context;
  const shell = currentShell(environment);
  const settings = readSettings(reader, { name: commandLine.name ?? 'termprog', isUtf8: /utf-?8/i.test(locale) });
  if (settings.toolkit.isSynchronous) display.makeSynchronous();
  const terminal = await openTerminal(display, settings, {
    name,
    hostName: hostname(),
    locale,
    processId: process.pid,
    environment,
    command: childCommand(commandLine.command, { shell, isLogin: settings.session.loginShell }),
    shell,
    nowMs: () => performance.now(),
    complain,
    diagnostics,
    options,
    resources,
    early: asked,
  });
  stop.addEventListener('abort', () => void terminal.close());
  try {
    if (!stop.aborted) await terminal.ended;
    return 0;
  } finally {
    await terminal.close();
  }
}

/** Without a server a report can still be printed. @throws DisplayUnavailableError when something else is wanted */
function startWithout(unavailable: DisplayUnavailableError, context: StartContext): Promise<number> {
  const { reader, report } = configure(context, NO_SERVER);
  if (!reader.boolean('reportConfig')) throw unavailable;
  return context.print(report(`without the resources that an X server keeps: ${unavailable.message}`));
}

/** Reads the resources of all sources, and reports faults in them. */
function configure({ commandLine, environment, complain }: StartContext, server: ServerResources) {
  const name: ProgramName = {
    instance: commandLine.name ?? (environment['RESOURCE_NAME'] || DEFAULT_NAME.instance),
    class: commandLine.class ?? DEFAULT_NAME.class,
  };
  const host = {
    environment,
    home: homeFolder(environment),
    hostName: hostname(),
    readFile: (path: string, tell?: (obstacle: string) => void) => readFile(path, tell)?.toString('latin1'),
    ...server.properties,
  };
  const { database, problems } = collectResources(host, name, commandLine.resources);
  const resolved = resolveResources(termprogResources, database, name);
  const diagnostics = createDiagnostics(readSeverity(resolved), complain);
  for (const problem of [...server.problems, ...problems]) diagnostics.warning(problem);
  reportFindings(resolved, name, diagnostics);
  const reader = createReader(resolved);
  const options = new LiveOptions(resolved);
  for (const message of unknownNames(options)) diagnostics.warning(message);
  return {
    name,
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

/** The connection, or why there is none: a report does not need one. */
async function tryDisplay({
  commandLine: { display },
  environment,
}: StartContext): Promise<XConnection | DisplayUnavailableError> {
  const displayName = display || environment['DISPLAY'];
  if (!displayName) {
    return new DisplayUnavailableError('no X server is named: set DISPLAY or use -display, such as -display :0');
  }
  const authorityFile = readFile(environment['XAUTHORITY'] || join(homeFolder(environment), '.Xauthority'));
  return connectToDisplay({ displayName, hostName: hostname(), authorityFile }).catch(unavailability);
}

/** Gives the error that says there is no server; throws any other. */
function unavailability(error: unknown): DisplayUnavailableError {
  if (error instanceof DisplayUnavailableError) return error;
  throw error;
}

function closeWhenAborted(stop: AbortSignal, connection: XConnection): void {
  if (stop.aborted) connection.close();
  else stop.addEventListener('abort', () => connection.close(), { once: true });
}

/** Loads the C library ahead of its use. */
function preloadLibc(): void {
  try {
    loadLibc();
  } catch {
    // Starting the child loads it again, and reports the failure.
  }
}
