import { EXIT_CONFIG } from './errors.ts';

/** The options of a command, by their long names. */
export type CommandOptions = Record<
  string,
  {
    type: 'string' | 'boolean';
    summary: string;
    /** One word for its value in the help: `FILE`, `DIR`, `LIST`; default `DIR`. */
    value?: string;
  }
>;

/** One command of a program, as its help, its manual page and its completions describe it. */
export interface CommandText {
  name: string;
  /** The usage line behind the program's name. */
  usage: string;
  summary: string;
  /** Treatment of `--config FILE`: read before the command runs, left to the command, or refused. */
  config: 'read' | 'left' | 'refused';
  options?: CommandOptions;
  /** Fewest words it needs behind its name; default 0. */
  wordsMin?: number;
  /** Most words it takes behind its name; default 0. */
  wordsMax?: number;
  /** It goes on until a signal, and holds signals from its start on. */
  isService?: true;
}

/** The command that checks whether a service could start. */
export const checkStartText = {
  name: 'check-start',
  usage: 'check-start [--config FILE]',
  summary:
    'Looks whether the service could start here, as the account that runs this command: Node.js, native parts, secrets, ports and what else it needs; exits 1 or 78 where it could not. install-units runs it as the account of the service.',
  config: 'read',
} as const satisfies CommandText;

/** A program with one configuration file, as its help and its manual page describe it. */
export interface ProgramText {
  name: string;
  summary: string;
  defaultConfigFile: string;
  /** Its own commands, without those that every program has. */
  commands: readonly CommandText[];
}

/** The commands that every program with a configuration file has. */
export const commonCommandTexts = [
  {
    name: 'check-config',
    usage: 'check-config [FILE | --config FILE]',
    wordsMax: 1,
    summary: `Validates a configuration file; lists every problem and exits ${EXIT_CONFIG} when it is not valid.`,
    config: 'left',
  },
  {
    name: 'print-config',
    usage: 'print-config [--config FILE]',
    summary: 'Prints the configuration with its defaults filled in. Secrets are files, so none is in it.',
    config: 'read',
  },
  {
    name: 'print-schema',
    usage: 'print-schema',
    summary: 'Prints the JSON Schema of the configuration file.',
    config: 'refused',
  },
] as const satisfies readonly CommandText[];

export const EXIT_STATUS_TEXT = '0 done, 78 bad configuration, 64 bad usage, 1 any other failure';
