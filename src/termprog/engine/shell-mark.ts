import type { TextAnchor } from './text-anchor.ts';

/** The kinds of a shell's marks on the screen; OSC 133 of FinalTerm, with its letters. */
export const SHELL_MARKS = { A: 'prompt', B: 'command', C: 'output', D: 'end' } as const;

/** How much of a prompt and of the input after it the shell redraws after a resize. */
export type PromptRedraw = 'all' | 'last' | 'none';

export interface ShellMark extends TextAnchor {
  /** The kind of mark. A continuation is the prompt of a further line of the same command. */
  kind: (typeof SHELL_MARKS)[keyof typeof SHELL_MARKS] | 'continuation';
  /** The exit status of a command that ended; undefined if the shell did not report it. */
  exitStatus?: number;
  /** How much of a prompt is redrawn; undefined if the shell did not say so. */
  redraw?: PromptRedraw;
}
