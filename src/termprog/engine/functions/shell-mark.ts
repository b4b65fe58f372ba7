import type { OperatingSystemCommand } from '../control-function.ts';
import { SHELL_MARK_MAX_CHARACTERS } from '../limits.ts';
import { SHELL_MARKS } from '../shell-mark.ts';

const isMark = (letter: string): letter is keyof typeof SHELL_MARKS => Object.hasOwn(SHELL_MARKS, letter);

/** A letter, and behind semicolons what the shell wants to add; the first such text of D is the status of the command. */
export const shellMark: OperatingSystemCommand = {
  kind: 'osc',
  name: 'mark prompts, commands and their output',
  numbers: [133],
  choices: Object.keys(SHELL_MARKS),
  maxCharacters: SHELL_MARK_MAX_CHARACTERS,
  run: ({ screen, shellMarks }, text) => {
    const [letter = '', first = ''] = text.split(';', 2);
    // The alternate screen has no history to find prompts in.
    if (!isMark(letter) || screen.isAlternate) return;
    const status = letter === 'D' && /^\d{1,3}$/.test(first) ? Number(first) : undefined;
    shellMarks.add(SHELL_MARKS[letter], screen, status);
  },
};
