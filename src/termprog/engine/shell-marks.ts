import { nextCell } from './cursor-place.ts';
import type { Screen } from './screen.ts';
import type { ShellMark } from './shell-mark.ts';
import { anchorAt } from './text-anchors.ts';

/** Marks that are kept; a day's work has a few thousand. */
const MARKS_MAX = 16_384;

/** Rows that are looked at for the beginning of a line of text: an application may set many marks. */
const ROWS_MAX = 256;

/** Where prompts, commands and their output begin and end, oldest first. Lines that left the history may still be named. */
export class ShellMarks {
  #marks: ShellMark[] = [];

  get all(): readonly ShellMark[] {
    return this.#marks;
  }

  /** Marks the place where text goes on. */
  add(kind: ShellMark['kind'], screen: Screen, told: Pick<ShellMark, 'exitStatus' | 'redraw'> = {}): void {
    const view = { line: (row: number) => screen.grid.line(row) };
    const anchor = anchorAt(view, nextCell(screen), ROWS_MAX);
    if (anchor === undefined) return;
    this.#marks.push({ kind, ...anchor, ...told });
    // In one go, so that a flood of marks does not move the list each time.
    if (this.#marks.length >= 2 * MARKS_MAX) this.#marks = this.#marks.slice(-MARKS_MAX);
  }

  clear(): void {
    this.#marks = [];
  }
}
