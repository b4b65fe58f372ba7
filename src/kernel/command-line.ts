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
import type { ServiceManager, Surroundings } from './systemd/notify.ts';
import { VERSION } from './version.ts';

/** What a command gets: the configuration, where it asks for one, and the words behind the command. */
export interface CommandCall<S extends z.$ZodType> {
  config: z.output<S>;
  /** Reads the configuration file again. @throws ConfigError */
  load: () => Promise<Loaded<z.output<S>>>;
  configFile: string;
  options: Record<string, string | boolean | undefined>;
  positionals: string[];
  /** Held for a service; of no effect for other commands. */
  signals: HeldSignals;
  /** Is informed about a service; without systemd it does nothing. */
  manager: ServiceManager;
}

/** What a command does; the exit status, or undefined for a service that goes on until a signal. */
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
  /** What each command of `text` does, by its name. */
  runs: Readonly<Record<Text['commands'][number]['name'], RunCommand<S>>>;
}

class UsageError extends Error {}

/** A service that can't start does not wait longer than this for the reader of its complaint. */
const COMPLAINT_DEADLINE_MS = 2_000;

/** Names of files and tables may hold control characters, which a terminal would obey. */
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
  // Undefined: a service that goes on until a signal.
  if (status === undefined) return;
  const failure = await printed.written();
  if (failure !== undefined) err(`${program.text.name}: could not print: ${failure.message}`);
  if (complaint !== undefined) await manager.failed(complaint);
  await (isService ? Promise.race([complained.written(), delay(COMPLAINT_DEADLINE_MS)]) : complained.written());
  process.exit(failure === undefined ? status : status || 1);
}

/** Where systemd does not ask. */
const UNMANAGED: ServiceManager = {
  ready: async () => undefined,
  reloading: async () => undefined,
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
      complain(error.report());
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
    complain(error instanceof Error ? (error.stack ?? error.message) : messageOf(error));
    return 1;
  }
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
  // Before anything that takes time, as reading the configuration does.
  const signals = signalsFor(command);
  const config =
    command.config === 'read' ? (await loadedBy(program, configFile, 'start')).value : (undefined as z.output<S>);
  return command.run({ config, load, configFile, options, positionals, signals, manager });
}

/** `run` where no command is named. */
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

/** When a configuration is read. */
type When = 'start' | 'reload';

/** @throws ConfigError */
async function loadedBy<S extends z.$ZodType>(
  program: Program<S>,
  file: string,
  when: When,
): Promise<Loaded<z.output<S>>> {
  const loaded = await checkConfig(program, file, when);
  tellWarnings(program.text.name, loaded.warnings);
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

/** What a configuration's reader should be told, on standard error. */
function tellWarnings(program: string, warnings: readonly string[]): void {
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

/** What the common commands do. */
function commonRuns<S extends z.$ZodType>(
  program: Program<S>,
): Record<(typeof commonCommandTexts)[number]['name'], RunCommand<S>> {
  return {
    'check-config': async ({ configFile, options, positionals: [named] }) => {
      if (named !== undefined && options.config !== undefined) {
        throw new UsageError(`check-config takes one file, received ${named} and ${configFile}`);
      }
      const file = named ?? configFile;
      tellWarnings(program.text.name, (await checkConfig(program, file)).warnings);
      return print(`${file}: valid`);
    },
    'print-config': async ({ config }) => print(JSON.stringify(config, null, 2)),
    'print-schema': async () => {
      const [{ publishedSchema }, schema] = await Promise.all([import('./config/json-schema.ts'), program.schema()]);
      return print(JSON.stringify(publishedSchema(program.text.name, schema), null, 2));
    },
  };
}

function helpOf<S extends z.$ZodType>(program: Program<S>): string {
  const commands = allCommands(program);
  return [
    `${program.text.name} ${VERSION} - ${program.text.summary}`,
    '',
    'usage:',
    // Below each other: side by side they would be wider than most terminals.
    ...commands.map(({ usage, summary }) => `  ${program.text.name} ${usage}\n      ${summary}`),
    '',
    'options:',
    ...aligned([
      configRow(program),
      ...optionRows(Object.assign({}, ...program.text.commands.map(({ options }: CommandText) => options))),
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

function aligned(rows: readonly HelpRow[]): string[] {
  const width = Math.max(...rows.map(([term]) => term.length)) + 2;
  return rows.map(([term, explanation]) => `  ${term.padEnd(width)}${explanation}`);
}
