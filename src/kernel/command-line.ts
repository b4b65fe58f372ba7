import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type * as z from 'zod/v4/core';
import {
  type CommandOptions,
  type CommandText,
  commonCommandTexts,
  EXIT_STATUS_TEXT,
  type ProgramText,
} from './command-texts.ts';
import type { Loaded } from './config/load-config.ts';
import { ConfigError, EXIT_CONFIG, messageOf, StartError } from './errors.ts';
import { HeldSignals } from './held-signals.ts';
import { Printed } from './printed.ts';
import { printedJson } from './printed-json.ts';
import type { ServiceManager, Surroundings } from './systemd/notify.ts';
import { VERSION } from './version.ts';

/** Input of a command: the configuration, if it asks for one, and the words behind the command. */
export interface CommandCall<S extends z.$ZodType> {
  config: z.output<S>;
  /** Reads the configuration file again. @throws ConfigError */
  load: () => Promise<Loaded<z.output<S>>>;
  configFile: string;
  options: Record<string, string | boolean | undefined>;
  positionals: string[];
  /** Signals, held from the start for a service; other commands do not hold them. */
  signals: HeldSignals;
  /** Reports the state of a service to systemd; without systemd it has no effect. */
  manager: ServiceManager;
}

/** Runs a command. Resolves with the exit status, or undefined for a service that goes on until a signal. */
export type RunCommand<S extends z.$ZodType> = (call: CommandCall<S>) => Promise<number | undefined>;

/** One command of a program; `run` without a name is the service itself. */
interface Command<S extends z.$ZodType> extends CommandText {
  run: RunCommand<S>;
}

/** A service with one configuration file and the commands every such program has. */
export interface Program<S extends z.$ZodType, Text extends ProgramText = ProgramText> {
  text: Text;
  /** Loads the schema of the configuration, which may cost more than everything else at start. */
  schema: () => Promise<S>;
  /** Name of each command in `text` -> its function. */
  runs: Readonly<Record<Text['commands'][number]['name'], RunCommand<S>>>;
}

class UsageError extends Error {}

/** Longest time that a service that can't start waits for the reader of its error message. */
const COMPLAINT_DEADLINE_MS = 2_000;

/** Replaces control characters, which a terminal would obey: names of files and tables may contain them. */
const printable = (text: string): string => text.replaceAll(/(?!\n)\p{Cc}/gu, '\ufffd');

const out = (text: string): void => void process.stdout.write(`${text}\n`);
const err = (text: string): void => void process.stderr.write(`${text}\n`);

/**
 * Runs a program by its arguments and ends the process where a command is done and what it printed is written.
 * Exit status: 0 done, 78 bad configuration, 64 bad usage, 1 anything else; sysexits(3).
 */
export async function runProgram<S extends z.$ZodType>(
  program: Program<S>,
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<void> {
  const isService = commandOf(program, argv)?.isService === true;
  const manager = isService ? await managerFor(program, surroundings) : UNMANAGED;
  const [printed, complained] = [new Printed(process.stdout), new Printed(process.stderr)];
  let complaint: string | undefined;
  const status = await statusOf(program, argv, manager, (text) => {
    complaint = text;
    err(`${program.text.name}: ${text}`);
  });
  // A service has no status: it goes on until a signal.
  if (status === undefined) return;
  const failure = await printed.written();
  if (failure !== undefined) err(`${program.text.name}: could not print: ${failure.message}`);
  if (complaint !== undefined) await manager.failed(complaint);
  await (isService ? Promise.race([complained.written(), delay(COMPLAINT_DEADLINE_MS)]) : complained.written());
  process.exit(failure === undefined ? status : status || 1);
}

/** Manager for processes that systemd did not start with a notify socket. */
const UNMANAGED: ServiceManager = {
  isThere: false,
  ready: async () => undefined,
  reloading: async () => undefined,
  waiting: async () => undefined,
  failed: async () => undefined,
};

async function managerFor<S extends z.$ZodType>(
  { text: { name } }: Program<S>,
  surroundings: Surroundings,
): Promise<ServiceManager> {
  if ((surroundings.notifySocket ?? '') === '') return UNMANAGED;
  const { serviceManager } = await import('./systemd/notify.ts');
  return serviceManager(surroundings, (message) => err(`${name}: ${message}`));
}

async function statusOf<S extends z.$ZodType>(
  program: Program<S>,
  argv: readonly string[],
  manager: ServiceManager,
  complain: (text: string) => void,
): Promise<number | undefined> {
  try {
    return await dispatch(program, argv, manager);
  } catch (error) {
    if (error instanceof ConfigError) {
      complain(printable(error.report()));
      err(`${program.text.name} print-schema shows every option`);
      return EXIT_CONFIG;
    }
    if (error instanceof UsageError) {
      complain(`${printable(error.message)}\ntry: ${program.text.name} --help`);
      return 64;
    }
    if (error instanceof StartError) {
      complain(printable(error.message));
      return error.exitStatus;
    }
    complain(printable(faultLine(error)));
    return 1;
  }
}

/** Innermost calls that a line about a fault shows. */
const CALLS_SHOWN = 3;

/**
 * A fault of this program with its innermost calls, in one line, because journals and `systemctl status` show lines.
 */
function faultLine(error: unknown): string {
  if (!(error instanceof Error)) return `a fault of this program: ${messageOf(error)}`;
  const calls = (error.stack ?? '').split('\n').flatMap((line) => /^ +at (.*)/.exec(line)?.[1] ?? []);
  const where = calls.length === 0 ? '' : ` (${calls.slice(0, CALLS_SHOWN).join(' < ')})`;
  return `a fault of this program, please report it: ${error.name}: ${error.message.trim().replaceAll(/\s*\n\s*/g, '; ')}${where}`;
}

async function dispatch<S extends z.$ZodType>(
  program: Program<S>,
  argv: readonly string[],
  manager: ServiceManager,
): Promise<number | undefined> {
  const first = argv[0];
  if (first === '--help' || first === '-h' || first === 'help') return print(helpOf(program));
  if (first === '--version') return print(`${program.text.name} ${VERSION}`);
  const { named, name } = commandName(argv);
  const commands = allCommands(program);
  const command = commandOf(program, argv);
  if (command === undefined) {
    throw new UsageError(`unknown command ${name}: expected one of ${commands.map((known) => known.name).join(', ')}`);
  }
  const { options, positionals } = parse(command, argv.slice(named ? 1 : 0));
  if (options.help === true) return print(commandHelpOf(program, command));
  const tooMuch = positionals[command.wordsMax ?? 0];
  if (tooMuch !== undefined) {
    const isCommand = !named && commands.some((known) => known.name === tooMuch);
    throw new UsageError(isCommand ? `${tooMuch} must come before its options` : `${name} does not take ${tooMuch}`);
  }
  if (positionals.length < (command.wordsMin ?? 0))
    throw new UsageError(`expected ${program.text.name} ${command.usage}`);
  const configFile = typeof options.config === 'string' ? options.config : program.text.defaultConfigFile;
  const load = () => loadedBy(program, configFile, 'reload');
  // Signals are held before anything that takes time, such as reading the configuration.
  const signals = signalsFor(command);
  const config =
    command.config === 'read' ? (await loadedBy(program, configFile, 'start')).value : (undefined as z.output<S>);
  return command.run({ config, load, configFile, options, positionals, signals, manager });
}

/** The command's name; `run` if the arguments name no command. */
function commandName([first]: readonly string[]): { named: boolean; name: string } {
  return first === undefined || first.startsWith('-') ? { named: false, name: 'run' } : { named: true, name: first };
}

function commandOf<S extends z.$ZodType>(program: Program<S>, argv: readonly string[]): Command<S> | undefined {
  const { name } = commandName(argv);
  return allCommands(program).find((candidate) => candidate.name === name);
}

function signalsFor<S extends z.$ZodType>({ isService }: Command<S>): HeldSignals {
  const signals = new HeldSignals();
  if (isService === true) signals.hold();
  return signals;
}

function allCommands<S extends z.$ZodType>(program: Program<S>): Command<S>[] {
  const runs: Readonly<Record<string, RunCommand<S>>> = { ...program.runs, ...commonRuns(program) };
  return [...program.text.commands, ...commonCommandTexts].map((text) => ({
    ...text,
    run: runs[text.name] as RunCommand<S>,
  }));
}

/** Moment at which a configuration is read. */
type When = 'start' | 'reload';

/** @throws ConfigError */
async function loadedBy<S extends z.$ZodType>(
  program: Program<S>,
  file: string,
  when: When,
): Promise<Loaded<z.output<S>>> {
  const loaded = await checkConfig(program, file, when);
  printWarnings(program.text.name, loaded.warnings);
  return loaded;
}

/** @throws ConfigError */
async function checkConfig<S extends z.$ZodType>(
  program: Program<S>,
  file: string,
  when: When = 'start',
): Promise<Loaded<z.output<S>>> {
  const [{ loadConfig }, schema] = await Promise.all([import('./config/load-config.ts'), program.schema()]);
  return loadConfig(file, schema, when);
}

/** Prints the warnings about a configuration on standard error. */
function printWarnings(program: string, warnings: readonly string[]): void {
  for (const warning of warnings) err(`${program}: warning: ${warning}`);
}

function parse<S extends z.$ZodType>(
  command: Command<S>,
  args: string[],
): Pick<CommandCall<S>, 'options' | 'positionals'> {
  try {
    const parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...(command.config === 'refused' ? {} : { config: { type: 'string' } }),
        help: { type: 'boolean', short: 'h' },
        ...command.options,
      },
    });
    return { options: parsed.values as CommandCall<S>['options'], positionals: parsed.positionals };
  } catch (error) {
    throw new UsageError(messageOf(error).replace(/\. To specify a positional.*$/s, ''));
  }
}

function print(text: string): number {
  out(text);
  return 0;
}

/** Functions of the common commands. */
function commonRuns<S extends z.$ZodType>(
  program: Program<S>,
): Record<(typeof commonCommandTexts)[number]['name'], RunCommand<S>> {
  return {
    'check-config': async ({ configFile, options, positionals: [named] }) => {
      if (named !== undefined && options.config !== undefined) {
        throw new UsageError(`check-config takes one file, received ${named} and ${configFile}`);
      }
      const file = named ?? configFile;
      printWarnings(program.text.name, (await checkConfig(program, file)).warnings);
      return print(`${file}: valid`);
    },
    'print-config': async ({ config }) => print(printedJson(config)),
    'print-schema': async () => {
      const [{ publishedSchema }, schema] = await Promise.all([import('./config/json-schema.ts'), program.schema()]);
      return print(printedJson(publishedSchema(program.text.name, schema)));
    },
  };
}

function helpOf<S extends z.$ZodType>(program: Program<S>): string {
  const commands = allCommands(program);
  return [
    `${program.text.name} ${VERSION} - ${program.text.summary}`,
    '',
    'usage:',
    // Usage and summary are on separate lines, because side by side they would be wider than most terminals.
    ...commands.map(({ usage, summary }) => `  ${program.text.name} ${usage}\n      ${summary}`),
    '',
    'options:',
    ...aligned([
      configRow(program),
      ...optionRowsOf(program.text.commands),
      ['--version', 'print the version'],
      ['--help', 'print this text; after a command, its own'],
    ]),
    '',
    `exit status: ${EXIT_STATUS_TEXT}`,
  ].join('\n');
}

function commandHelpOf<S extends z.$ZodType>(program: Program<S>, command: Command<S>): string {
  const rows = [...(command.config === 'refused' ? [] : [configRow(program)]), ...optionRows(command.options ?? {})];
  return [
    `usage: ${program.text.name} ${command.usage}`,
    '',
    command.summary,
    ...(rows.length === 0 ? [] : ['', 'options:', ...aligned(rows)]),
  ].join('\n');
}

type HelpRow = readonly [term: string, explanation: string];

function configRow<S extends z.$ZodType>({ text: { defaultConfigFile } }: Program<S>): HelpRow {
  return ['--config FILE', `configuration to read (default ${defaultConfigFile})`];
}

function optionRows(options: CommandOptions): HelpRow[] {
  return Object.entries(options).map(([name, { type, value = 'DIR', summary }]) => [
    `--${name}${type === 'string' ? ` ${value}` : ''}`,
    summary,
  ]);
}

/** Rows of all commands' options, without duplicates: two commands may use a name with different meanings. */
function optionRowsOf(commands: readonly CommandText[]): HelpRow[] {
  const rows = commands.flatMap(({ options = {} }) => optionRows(options));
  return [...new Map(rows.map((row) => [row.join(' '), row])).values()];
}

function aligned(rows: readonly HelpRow[]): string[] {
  const width = Math.max(...rows.map(([term]) => term.length)) + 2;
  return rows.map(([term, explanation]) => `  ${term.padEnd(width)}${explanation}`);
}
