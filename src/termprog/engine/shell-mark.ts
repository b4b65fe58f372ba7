import type { TextAnchor } from './text-anchor.ts';

/** What a shell marks on the screen; OSC 133 of FinalTerm, with its letters. */
export const SHELL_MARKS = { A: 'prompt', B: 'command', C: 'output', D: 'end' } as const;

export interface ShellMark extends TextAnchor {
  kind: (typeof SHELL_MARKS)[keyof typeof SHELL_MARKS];
  /** Of a command that ended; undefined when the shell did not tell. */
  exitStatus?: number;
}
