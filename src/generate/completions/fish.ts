import type { CompletedOption, CompletedProgram } from './completed-program.ts';
import { generatedNote, quoted } from './shell-text.ts';

/** The completions of a program for fish; complete(1) of fish. */
export function fishCompletions({ name, commands, options }: CompletedProgram): string {
  const [first, ...others] = commands;
  const line = (...words: readonly string[]): string => ['complete', '-c', name, ...words].join(' ');
  const on = (condition: string): string[] => ['-n', quoted(condition)];
  const otherNames = others.map((each) => each.name).join(' ');
  const commandLines = commands.flatMap((each) => {
    const condition =
      each === first ? `not __fish_seen_subcommand_from ${otherNames}` : `__fish_seen_subcommand_from ${each.name}`;
    return [
      line(...on('__fish_use_subcommand'), '-a', each.name, '-d', quoted(each.doc)),
      ...each.options.map((option) => line(...on(condition), ...wordsOf(option))),
      ...(each.takes === 'file' ? [line(...on(condition), '-F')] : []),
    ];
  });
  const unique = [...new Map(options.map((option) => [option.spelling, option])).values()].filter(
    ({ spelling }) => first === undefined || spelling !== '--help',
  );
  return `${[
    ...generatedNote(name, 'fish'),
    line('-f'),
    ...commandLines,
    ...unique.map((option) => line(...(first === undefined ? [] : on('__fish_use_subcommand')), ...wordsOf(option))),
  ].join('\n')}\n`;
}

const VALUES = {
  file: ['-r', '-F'],
  folder: ['-x', '-a', quoted('(__fish_complete_directories)')],
  command: ['-x', '-a', quoted('(__fish_complete_command)')],
  other: ['-x'],
} as const;

function wordsOf({ spelling, value, doc }: CompletedOption): string[] {
  const rest = [...(value === undefined ? [] : VALUES[value]), '-d', quoted(doc)];
  // fish knows only options that begin with a hyphen: one with a plus is offered as a word.
  if (spelling.startsWith('+')) return ['-a', quoted(spelling), '-d', quoted(doc)];
  return spelling.startsWith('--') ? ['-l', spelling.slice(2), ...rest] : ['-o', spelling.slice(1), ...rest];
}
