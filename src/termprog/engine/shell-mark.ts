import type { TextAnchor } from './text-anchor.ts';

/** What a shell marks on the screen; OSC 133 of FinalTerm, with its letters. */
export const SHELL_MARKS = { A: 'prompt', B: 'command', C: 'output', D: 'end' } as const;

/** How much of a prompt and what is typed behind it the shell draws again after a resize. */
export type PromptRedraw = 'all' | 'last' | 'none';

export interface ShellMark extends TextAnchor {
  /** A continuation is the prompt of a further line of the same command. */
  kind: (typeof SHELL_MARKS)[keyof typeof SHELL_MARKS] | 'continuation';
  /** Of a command that ended; undefined when the shell did not tell. */
  exitStatus?: number;
  /** Of a prompt; undefined when the shell did not tell. */
  redraw?: PromptRedraw;
}
