import type { Screen } from './screen.ts';

/** What a shell marks on the screen; OSC 133 of FinalTerm, with its letters. */
export const SHELL_MARKS = { A: 'prompt', B: 'command', C: 'output', D: 'end' } as const;

export interface ShellMark {
  kind: (typeof SHELL_MARKS)[keyof typeof SHELL_MARKS];
  /** The first row of the line of text, by its id; that row keeps it when lines are broken anew. */
  lineId: number;
  /** Cells from the beginning of that line. */
  offset: number;
  /** Of a command that ended; undefined when the shell did not tell. */
  exitStatus?: number;
}

/** Marks that are kept; a day's work has a few thousand. */
const MARKS_MAX = 16_384;

/** Rows that are looked at for the beginning of a line of text. */
const ROWS_MAX = 256;

/** Where prompts, commands and their output begin and end, oldest first. Lines that left the history may still be named. */
export class ShellMarks {
  #marks: ShellMark[] = [];

  get all(): readonly ShellMark[] {
    return this.#marks;
  }

  /** Marks the cursor's place. */
  add(kind: ShellMark['kind'], { grid, row, column, columns }: Screen, exitStatus?: number): void {
    let rows = 0;
    while (rows < ROWS_MAX && grid.find(row - rows - 1)?.isWrapped === true) rows += 1;
    const lineId = grid.row(row - rows).id;
    const mark = { kind, lineId, offset: rows * columns + column };
    this.#marks.push(exitStatus === undefined ? mark : { ...mark, exitStatus });
    // In one go, so that a flood of marks does not move the list each time.
    if (this.#marks.length >= 2 * MARKS_MAX) this.#marks = this.#marks.slice(-MARKS_MAX);
  }

  clear(): void {
    this.#marks = [];
  }
}
