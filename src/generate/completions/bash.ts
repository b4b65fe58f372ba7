import type { CompletedOption, CompletedProgram } from './completed-program.ts';
import { byValue, generatedNote } from './shell-text.ts';

/** The completions of a program for bash, without any library of functions. */
export function bashCompletions({ name, commands, options }: CompletedProgram): string {
  const call = `_${name.replaceAll('-', '_')}`;
  const all = [...options, ...commands.flatMap((command) => command.options)];
  const [first] = commands;
  return `${[
    ...generatedNote(name, 'bash'),
    `${call}() {`,
    `  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} words`,
    ...beforeWord(all),
    ...(first === undefined
      ? [`  words='${spellings(options)}'`]
      : [
          `  local command=${first.name} files=`,
          `  [[ $COMP_CWORD -gt 1 && \${COMP_WORDS[1]} != -* ]] && command=\${COMP_WORDS[1]}`,
          '  case $command in',
          ...commands.map(
            (each) =>
              `    ${each.name}) words='${spellings(each.options)}'${each.takes === 'file' ? ' files=yes' : ''} ;;`,
          ),
          '  esac',
          `  [[ $COMP_CWORD -eq 1 ]] && words+=' ${commands.map((each) => each.name).join(' ')} ${spellings(options)}'`,
        ]),
    '  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")',
    ...(first === undefined
      ? []
      : [
          '  if [[ $files = yes && $word != -* ]]; then',
          '    compopt -o filenames',
          '    mapfile -t COMPREPLY < <(compgen -f -- "$word")',
          '  fi',
        ]),
    '}',
    // A program without commands takes a command of the user behind its options: bash completes its words.
    `complete ${first === undefined ? '-o default ' : ''}-F ${call} ${name}`,
  ].join('\n')}\n`;
}

const spellings = (options: readonly CompletedOption[]): string =>
  [...new Set(options.map(({ spelling }) => spelling))].join(' ');

/** Lines of the script that complete the value of the option before the word. */
function beforeWord(options: readonly CompletedOption[]): string[] {
  const { file, folder, command, other } = byValue(options);
  const row = (of: readonly string[], text: string): string[] =>
    of.length === 0 ? [] : [`    ${of.join(' | ')}) ${text} ;;`];
  const named = (kind: string): string =>
    `compopt -o filenames; mapfile -t COMPREPLY < <(compgen -${kind} -- "$word"); return`;
  return [
    '  case $before in',
    ...row(file, named('f')),
    ...row(folder, named('d')),
    ...row(command, 'mapfile -t COMPREPLY < <(compgen -c -- "$word"); return'),
    ...row(other, 'return'),
    '  esac',
  ];
}
