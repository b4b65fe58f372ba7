import type { ControlFunction } from '../control-function.ts';
import { DIRECTORY_MAX_CHARACTERS, SHELL_MARK_MAX_CHARACTERS } from '../limits.ts';
import { type PromptRedraw, SHELL_MARKS } from '../shell-mark.ts';

const isMark = (letter: string): letter is keyof typeof SHELL_MARKS => Object.hasOwn(SHELL_MARKS, letter);

/** Values of `redraw` after A. */
const REDRAWS: Readonly<Record<string, PromptRedraw>> = { '0': 'none', '1': 'all', last: 'last' };

/** The word after A that means the prompt of a further line, not of a command. */
const SECONDARY = 'k=s';

/** Reports of a shell: its directory, and marks of prompts, commands and output. */
export const shellReports: readonly ControlFunction[] = [
  /** Records the shell's present directory as an address, `file://HOST/PATH`; an empty text means that it is unknown. */
  {
    kind: 'osc',
    name: 'report the working directory',
    numbers: [7],
    maxCharacters: DIRECTORY_MAX_CHARACTERS,
    run: (state, text) => {
      if (text === '') state.directory = undefined;
      else if (/^file:\/\/[^/\s]*\//.test(text)) state.directory = text;
    },
  },
  /**
   * Sets a mark; it takes a letter and, after semicolons, what the shell adds: the first such text of D is the status of
   * the command; those of A may say which kind of prompt begins and how much of it is redrawn after a resize.
   */
  {
    kind: 'osc',
    name: 'mark prompts, commands and their output',
    numbers: [133],
    choices: Object.keys(SHELL_MARKS),
    maxCharacters: SHELL_MARK_MAX_CHARACTERS,
    run: ({ screen, shellMarks, host }, text) => {
      const [letter = '', ...added] = text.split(';');
      // The alternate screen has no history to find prompts in.
      if (!isMark(letter) || screen.isAlternate) return;
      const kind = SHELL_MARKS[letter];
      if (kind === 'prompt') {
        const redraw = REDRAWS[added.find((word) => word.startsWith('redraw='))?.slice('redraw='.length) ?? ''];
        const promptKind = added.includes(SECONDARY) ? 'continuation' : kind;
        shellMarks.add(promptKind, screen, redraw === undefined ? {} : { redraw });
        host.shellMarked({ kind: promptKind });
        return;
      }
      const [first = ''] = added;
      const isStatus = kind === 'end' && /^\d{1,3}$/.test(first);
      const status = isStatus ? { exitStatus: Number(first) } : {};
      shellMarks.add(kind, screen, status);
      host.shellMarked({ kind, ...status });
    },
  },
];
