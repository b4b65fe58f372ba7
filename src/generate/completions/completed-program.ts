import type { ProgramOption } from '../../../schemas/termprog/program-options.ts';
import type { XResourceRow } from '../../../schemas/termprog/resource-table.ts';
import { type CommandText, commonCommandTexts, type ProgramText } from '../../kernel/command-texts.ts';

/** Kind of an option's value: a file, a folder, a command with its words, or a value that a shell can't know. */
export type CompletedValue = 'file' | 'folder' | 'command' | 'other';

export interface CompletedOption {
  /** The option as it is typed, with its dashes or its plus. */
  spelling: string;
  /** Undefined for an option that stands alone. */
  value: CompletedValue | undefined;
  /** One sentence or less, without a mark at its end. */
  doc: string;
}

export interface CompletedCommand {
  name: string;
  doc: string;
  options: readonly CompletedOption[];
  /** Kind of its words: the name of a file, or words that a shell can't know; undefined if it takes no words. */
  takes: 'file' | 'words' | undefined;
}

/** A program as the completions of a shell know it. */
export interface CompletedProgram {
  name: string;
  /** Commands; empty for a program that has options alone. The first one is the default command. */
  commands: readonly CompletedCommand[];
  /** Options that stand before a command, or without one. */
  options: readonly CompletedOption[];
}

const HELP: readonly CompletedOption[] = [{ spelling: '--help', value: undefined, doc: 'print the help' }];

/** A service, by its table of commands. */
export function completedService({ name, commands }: ProgramText): CompletedProgram {
  return {
    name,
    commands: [...commands, ...commonCommandTexts].map(completedCommand),
    options: [...HELP, { spelling: '--version', value: undefined, doc: 'print the version' }],
  };
}

function completedCommand({ name, summary, config, options = {}, usage, wordsMax }: CommandText): CompletedCommand {
  const own = Object.entries(options).map(([option, { type, value = 'DIR', summary: doc }]) => ({
    spelling: `--${option}`,
    value: type === 'boolean' ? undefined : kindOfValue(value),
    doc,
  }));
  const file: CompletedOption[] =
    config === 'refused' ? [] : [{ spelling: '--config', value: 'file', doc: 'configuration to read' }];
  return {
    name,
    doc: firstSentence(summary),
    options: [...file, ...own, ...HELP],
    takes: new RegExp(`^${name} \\[?FILE`).test(usage) ? 'file' : wordsMax === undefined ? undefined : 'words',
  };
}

const kindOfValue = (metavar: string): CompletedValue =>
  metavar === 'DIR' ? 'folder' : metavar === 'FILE' ? 'file' : 'other';

/** The terminal, by its table of resources and its own options. */
export function completedTerminal(rows: readonly XResourceRow[], own: readonly ProgramOption[]): CompletedProgram {
  return {
    name: 'termprog',
    commands: [],
    options: [
      ...rows.flatMap(({ doc, options = [] }) =>
        options.flatMap((option): CompletedOption[] => {
          // A sticky option is one word with its value, which a shell cannot complete.
          if (option.kind === 'sticky') return [];
          if (option.kind === 'value') {
            return option.names.map((name) => ({ spelling: `-${name}`, value: 'other', doc: firstSentence(doc) }));
          }
          const words = firstSentence(option.doc ?? doc);
          return option.names.flatMap((name) => [
            { spelling: `-${name}`, value: undefined, doc: words },
            ...(option.plus === undefined
              ? []
              : [{ spelling: `+${name}`, value: undefined, doc: `the contrary of -${name}` }]),
          ]);
        }),
      ),
      ...own.flatMap(({ names, argument, doc }) =>
        names.map((spelling) => ({
          spelling,
          value: argument === 'none' ? undefined : argument === 'rest' ? ('command' as const) : ('other' as const),
          doc,
        })),
      ),
    ],
  };
}

/** The first sentence of a text, without markup and without the point at its end. */
const firstSentence = (text: string): string =>
  (text.split(/(?<=[.;:]) /)[0] ?? '').replaceAll('`', '').replace(/[.;:]$/, '');
