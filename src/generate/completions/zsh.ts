import type { CompletedOption, CompletedProgram } from './completed-program.ts';
import { generatedNote, quoted } from './shell-text.ts';

/** The completions of a program for zsh; zshcompsys(1). */
export function zshCompletions({ name, commands, options }: CompletedProgram): string {
  const [first] = commands;
  const lines =
    first === undefined
      ? argumentsOf(options, '')
      : [
          'local -a commands=(',
          ...commands.map((each) => `  ${quoted(`${each.name}:${each.doc}`)}`),
          ')',
          'if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then',
          '  _describe command commands',
          '  return',
          'fi',
          `local command=${first.name}`,
          'if [[ $words[2] != -* ]]; then',
          '  command=$words[2]',
          '  shift words',
          '  (( CURRENT-- ))',
          'fi',
          'case $command in',
          ...commands.flatMap((each) => [
            `  ${each.name})`,
            ...argumentsOf(
              each === first ? [...each.options, ...options] : each.options,
              '    ',
              each.takes === undefined ? [] : [each.takes === 'file' ? "'*:file:_files'" : "'*:word:()'"],
            ),
            '    ;;',
          ]),
          'esac',
        ];
  return `${[`#compdef ${name}`, ...generatedNote(name, 'zsh'), ...lines].join('\n')}\n`;
}

function argumentsOf(options: readonly CompletedOption[], indent: string, rest: readonly string[] = []): string[] {
  const unique = [...new Map(options.map((option) => [option.spelling, option])).values()];
  const words = [...unique.map((option) => quoted(specOf(option))), ...rest];
  return [
    `${indent}_arguments \\`,
    ...words.map((word, n) => `${indent}  ${word}${n < words.length - 1 ? ' \\' : ''}`),
  ];
}

const ACTIONS = {
  file: ':file:_files',
  folder: ':folder:_files -/',
  command: ':command:_command_names -e:*::words of the command:_normal',
  other: ':value:',
} as const;

function specOf({ spelling, value, doc }: CompletedOption): string {
  const words = doc.replaceAll(/[[\]:\\]/g, '\\$&');
  return `${spelling}[${words}]${value === undefined ? '' : ACTIONS[value]}`;
}
