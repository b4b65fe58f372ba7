import { resolve } from 'node:path';

/** A shell with the start file that makes its prompt, and what the prompt looks like. */
export interface ShellCase {
  name: string;
  program: string;
  args?: readonly string[];
  startFile: string;
  startText: string;
  /** The text of a prompt, without blanks. */
  prompt: string;
  /** Mark of a further line of a command. */
  continuation: string;
  /**
   * Other text that the shell writes, at the right of prompts, or where it takes the screen for narrower; tests ignore
   * it.
   */
  right?: string;
  /** Whether the kernel edits the shell's lines. */
  isPlain?: true;
}

const integration = (shell: string): string =>
  `\nsource ${resolve(`share/termprog/shell-integration/termprog.${shell}`)}\n`;

export const LONG = 'user@host:~/a/folder/of/some/depth$ ';
export const BASH = {
  program: '/bin/bash',
  startFile: '.bashrc',
  prompt: 'user@host:~/a/folder/of/some/depth$',
  continuation: '>',
};
const ZSH = { program: '/usr/bin/zsh', startFile: '.zshrc', prompt: BASH.prompt, continuation: '>' };
const FISH = {
  program: '/usr/bin/fish',
  startFile: '.config/fish/config.fish',
  prompt: 'me>',
  continuation: '',
  right: '⏎',
};
const FISH_START =
  'set fish_greeting\nset -g fish_autosuggestion_enabled 0\nfunction fish_prompt; echo -n "me> "; end\n';
const TWO_LINES = 'above';

/** A mark that no shell here has set: it stands in a file that is shown, or was that of a distant shell that has ended. */
const strangersMark = (says: string): string => `\nprintf '\\033]133;A${says}\\007'\n`;

/** Shells with and without marks of their prompts, and with marks that are not theirs. */
export const SHELL_CASES: readonly ShellCase[] = [
  { ...BASH, name: 'bash', startText: `PS1='${LONG}'\n` },
  { ...BASH, name: 'bash, marked', startText: `PS1='${LONG}'\n${integration('bash')}` },
  {
    ...BASH,
    name: 'bash, marked, with a prompt of two lines',
    prompt: `${TWO_LINES}${BASH.prompt}`,
    startText: `PS1='${TWO_LINES}\\n${LONG}'\n${integration('bash')}`,
  },
  { ...ZSH, name: 'zsh', startText: `PS1='${LONG}' PS2='> '\n` },
  { ...ZSH, name: 'zsh, marked', startText: `PS1='${LONG}' PS2='> '\n${integration('zsh')}` },
  {
    ...ZSH,
    name: 'zsh, marked, with a prompt of two lines and one at the right',
    prompt: `${TWO_LINES}${BASH.prompt}`,
    right: '<right>',
    startText: `PS1=$'${TWO_LINES}\\n${LONG}' PS2='> ' RPS1='<right>'\n${integration('zsh')}`,
  },
  { ...FISH, name: 'fish', startText: FISH_START },
  { ...FISH, name: 'fish, marked', startText: `${FISH_START}${integration('fish')}` },
  {
    ...BASH,
    name: "bash, behind a mark that is not the shell's",
    startText: `PS1='${LONG}'\n${strangersMark(';redraw=1')}`,
  },
  {
    ...ZSH,
    name: "zsh, behind a mark that is not the shell's",
    startText: `PS1='${LONG}' PS2='> '\n${strangersMark('')}`,
  },
  {
    ...FISH,
    name: "fish, behind a mark that is not the shell's",
    startText: `${FISH_START}${strangersMark(';redraw=1')}`,
  },
  {
    name: 'dash',
    program: '/usr/bin/dash',
    args: ['-i'],
    startFile: '.dashrc',
    startText: `PS1='${LONG}'\n`,
    prompt: BASH.prompt,
    continuation: '>',
    isPlain: true,
  },
  {
    name: 'dash, marked',
    program: '/usr/bin/dash',
    args: ['-i'],
    startFile: '.dashrc',
    startText: `PS1=$(printf '\\033]133;A\\007${LONG}\\033]133;B\\007')\n`,
    prompt: BASH.prompt,
    continuation: '>',
    isPlain: true,
  },
];
