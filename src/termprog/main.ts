import { accessSync, constants, readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { termprogResources } from '../../schemas/termprog/index.ts';
import { termprogProgramOptions } from '../../schemas/termprog/program-options.ts';
import { AppError, messageOf } from '../kernel/errors.ts';
import { VERSION } from '../kernel/version.ts';
import { createDiagnostics, type Diagnostics } from './diagnostics.ts';
import { BadOptionError, DisplayUnavailableError } from './errors.ts';
import { chooseShell, shellArgumentZero } from './pty/login-shell.ts';
import { openTerminal } from './window/open-terminal.ts';
import { connectToDisplay, type XConnection } from './x11/connection.ts';
import { type CommandLine, parseCommandLine } from './xresource/command-line.ts';
import { createOptionTable } from './xresource/option-table.ts';
import { formatReport } from './xresource/report-config.ts';
import { type ResolvedResource, reportFindings, resolveResources } from './xresource/resolve.ts';
import { createReader, readSettings, readSeverity, type Settings } from './xresource/settings.ts';
import { collectResources, type ProgramName } from './xresource/sources.ts';
import { formatHelp, formatUsage } from './xresource/usage.ts';

/** Instance and class unless something says otherwise. @spec termprog */
const DEFAULT_NAME: ProgramName = { instance: 'term', class: 'Term' };

const out = (text: string): void => void process.stdout.write(`${text}\n`);
const err = (text: string): void => void process.stderr.write(text);

/** Gives the exit status. */
async function run(argv: readonly string[]): Promise<number> {
  const commandLine = parseCommandLine(argv, createOptionTable(termprogResources, termprogProgramOptions));
  const [request] = commandLine.requests;
  if (request === '-help') return print(formatHelp(termprogResources, termprogProgramOptions));
  if (request === '-version') return print(`termprog ${VERSION}`);
  const [refused] = commandLine.refused;
  if (refused !== undefined) {
    err(`termprog: this version does not have ${refused}\n`);
    return 1;
  }
  const name: ProgramName = {
    instance: commandLine.name ?? (process.env['RESOURCE_NAME'] || DEFAULT_NAME.instance),
    class: commandLine.class ?? DEFAULT_NAME.class,
  };
  const display = await tryDisplay(commandLine);
  const connection = display instanceof Error ? undefined : display;
  const resolved = resolveResources(termprogResources, await collect(commandLine, name, connection), name);
  const reader = createReader(resolved);
  const diagnostics = createDiagnostics(readSeverity(resolved), err);
  for (const option of commandLine.ignored) diagnostics.warning(`option ${option} has no effect in this version`);
  reportFindings(resolved, name, diagnostics);
  if (reader.boolean('reportConfig')) return report(resolved, name, display, diagnostics);
  if (display instanceof Error) throw display;
  const isUtf8 = /utf-?8/i.test(process.env['LC_ALL'] || process.env['LC_CTYPE'] || process.env['LANG'] || '');
  const settings = readSettings(reader, { name: commandLine.name ?? 'termprog', isUtf8 });
  return runTerminal(display, settings, { commandLine, name, diagnostics });
}

/** The connection, or why there is none: a report can do without. */
async function tryDisplay({ display }: CommandLine): Promise<XConnection | DisplayUnavailableError> {
  const displayName = display ?? process.env['DISPLAY'];
  if (displayName === undefined || displayName === '') {
    return new DisplayUnavailableError('no X server is named: set DISPLAY or use -display, such as -display :0');
  }
  const home = process.env['HOME'] ?? '/';
  const authorityFile = readFile(process.env['XAUTHORITY'] || join(home, '.Xauthority'));
  try {
    return await connectToDisplay({ displayName, hostName: hostname(), authorityFile });
  } catch (error) {
    if (error instanceof DisplayUnavailableError) return error;
    throw error;
  }
}

async function collect(commandLine: CommandLine, name: ProgramName, connection: XConnection | undefined) {
  const property = async (atomName: string): Promise<string | undefined> =>
    connection?.readProperty(connection.screen.root, await connection.internAtom(atomName));
  const host = {
    environment: process.env,
    hostName: hostname(),
    readFile: (path: string) => readFile(path)?.toString('latin1'),
    resourceManager: await property('RESOURCE_MANAGER'),
    screenResources: await property('SCREEN_RESOURCES'),
  };
  return collectResources(host, name, commandLine.resources);
}

function report(
  resolved: readonly ResolvedResource[],
  name: ProgramName,
  display: XConnection | DisplayUnavailableError,
  diagnostics: Diagnostics,
): number {
  if (display instanceof Error) diagnostics.warning(`${display.message}; the report is made without its resources`);
  else display.close();
  return print(formatReport(resolved, name));
}

async function runTerminal(
  connection: XConnection,
  settings: Settings,
  { commandLine, name, diagnostics }: { commandLine: CommandLine; name: ProgramName; diagnostics: Diagnostics },
): Promise<number> {
  const shell = currentShell();
  const shellCommand = { program: shell, argv: [shellArgumentZero(shell, settings.session.loginShell)] };
  const [program, ...words] = commandLine.command ?? [];
  const terminal = await openTerminal(connection, settings, {
    name,
    hostName: hostname(),
    processId: process.pid,
    environment: process.env,
    command: program === undefined ? shellCommand : { program, argv: [program, ...words] },
    shell,
    nowMs: () => performance.now(),
    diagnostics,
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      terminal.close();
      process.exit(0);
    });
  }
  try {
    await terminal.ended;
    return 0;
  } finally {
    terminal.close();
  }
}

function currentShell(): string {
  return chooseShell({
    environmentShell: process.env['SHELL'],
    passwordShell: passwordShell(),
    shellsFile: readFile('/etc/shells')?.toString('utf8') ?? '',
    isExecutable: (path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    },
  });
}

/** Undefined for a user without an entry in the password file. */
function passwordShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined where there is no file, or none that may be read. */
function readFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function print(text: string): number {
  out(text);
  return 0;
}

function describeFailure(error: unknown): string {
  if (error instanceof BadOptionError) {
    return `termprog: ${error.message}\n\n${formatUsage(termprogResources, termprogProgramOptions)}\n`;
  }
  const text =
    error instanceof AppError || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message);
  return `termprog: ${text}\n`;
}

run(process.argv.slice(2)).then(
  (status) => process.exit(status),
  (error: unknown) => {
    err(describeFailure(error));
    process.exit(1);
  },
);
