import {
  type CommandOptions,
  type CommandText,
  commonCommandTexts,
  type ProgramText,
} from '../kernel/command-texts.ts';
import type { ServiceSections } from './command-manual-sections.ts';
import { type Item, list, literal, paragraphs } from './manual-lists.ts';
import { PAGE_DATE } from './manual-sections.ts';
import { manualArgument, manualText, manualWord } from './manual-text.ts';

/** The manual page NAME(1) of a service and its commands, in mdoc(7). */
export function commandManual(program: ProgramText, sections: ServiceSections): string {
  const { name, summary, defaultConfigFile } = program;
  const commands = [...program.commands, ...commonCommandTexts];
  const lines = [
    '.\\" Written by `npm run generate` from the table of commands. Changes made here are lost.',
    `.Dd ${PAGE_DATE}`,
    `.Dt ${name.toUpperCase()} 1`,
    '.Os',
    '.Sh NAME',
    `.Nm ${name}`,
    `.Nd ${manualWord(summary)}`,
    '.Sh SYNOPSIS',
    ...[...commands.map(({ usage }) => usageMacros(usage)), 'Fl -version', 'Fl -help'].flatMap(synopsisLine),
    '.Sh DESCRIPTION',
    ...paragraphs(sections.description),
    '.Sh COMMANDS',
    ...list(commands.map(commandItem)),
    '.Sh OPTIONS',
    ...list(optionItems(program)),
    '.Sh SIGNALS',
    ...list(sections.signals.map(([signal, text]) => ({ head: [`.It Dv ${signal}`], text }))),
    '.Sh ENVIRONMENT',
    ...list(sections.environment.map(([variable, text]) => ({ head: [`.It Ev ${variable}`], text }))),
    '.Sh FILES',
    ...list(
      [
        [
          defaultConfigFile,
          `The configuration, unless \`--config\` names another file; ${name}(5) describes it.`,
        ] as const,
        ...sections.files,
      ].map(([file, text]) => ({ head: [`.It Pa ${manualArgument(file)}`], text })),
    ),
    '.Sh EXIT STATUS',
    ...list(EXIT_STATUSES.map(([status, text]) => ({ head: [`.It ${status}`], text }))),
    '.Sh EXAMPLES',
    ...sections.examples.flatMap(({ text, lines: shown }) => [...manualText(text), ...literal(shown)]),
    '.Sh SEE ALSO',
    ...seeAlso([...sections.seeAlso, `${name} 5`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** @see sysexits(3) */
const EXIT_STATUSES = [
  ['0', 'Done.'],
  ['64', 'The words of the command line are wrong.'],
  ['78', 'The configuration is not valid, or does not fit this installation.'],
  ['1', 'Any other failure; standard error says which.'],
] as const;

export const seeAlso = (pages: readonly string[]): string[] =>
  pages.map((page, index) => `.Xr ${page}${index < pages.length - 1 ? ' ,' : ''}`);

function commandItem({ usage, summary }: CommandText): Item {
  return { head: [`.It ${usageMacros(usage)}`], text: summary };
}

function optionItems({ commands, defaultConfigFile }: ProgramText): Item[] {
  // Duplicates are removed; options of two commands may have one name and different meanings.
  const all = commands.flatMap(({ options = {} }) => Object.entries<CommandOptions[string]>(options));
  const options = [...new Map(all.map((option) => [JSON.stringify(option), option])).values()];
  return [
    { head: ['.It Fl -config Ar FILE'], text: `Configuration to read; \`${defaultConfigFile}\` unless given.` },
    ...options.map(([name, { type, value = 'DIR', summary }]) => ({
      head: [`.It Fl -${manualWord(name)}${type === 'string' ? ` Ar ${value}` : ''}`],
      text: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    })),
    { head: ['.It Fl -version'], text: 'Print the version.' },
    { head: ['.It Fl -help'], text: 'Print a summary; after a command, its own.' },
  ];
}

/** A line of the synopsis; the name stands alone, so that groff begins a line with it as mandoc does. */
const synopsisLine = (macros: string): string[] => [`.Nm`, `.${macros}`];

/** A usage line such as `invite LOGIN [--channels LIST]` in the macros of mdoc(7). */
function usageMacros(usage: string): string {
  const words = usage.match(/\[|\]|\||--[\w-]+|[^\s[\]|]+/g) ?? [];
  return words
    .map((word) => {
      if (word === '[') return 'Oo';
      if (word === ']') return 'Oc';
      if (word === '|') return '|';
      if (word.startsWith('--')) return `Fl -${manualWord(word.slice(2))}`;
      return /^[A-Z]+$/.test(word) ? `Ar ${word}` : `Cm ${manualWord(word)}`;
    })
    .join(' ');
}
