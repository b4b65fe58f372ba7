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
  #isPromptOver = false;

  get all(): readonly ShellMark[] {
    return this.#marks;
  }

  /** Whether what was typed behind the last mark has been run: by a shell that marks nothing, for a mark would say so. */
  get isPromptOver(): boolean {
    return this.#isPromptOver;
  }

  /**
   * An editor of lines takes no pastes any more, so what was typed is run. The last mark may be none of its: it may stand
   * in a file that was shown.
   */
  endPrompt(): void {
    this.#isPromptOver = true;
  }

  /** Marks the place where text goes on. */
  add(kind: ShellMark['kind'], screen: Screen, told: Pick<ShellMark, 'exitStatus' | 'redraw'> = {}): void {
    const view = { line: (row: number) => screen.grid.line(row) };
    const anchor = anchorAt(view, nextCell(screen), ROWS_MAX);
    if (anchor === undefined) return;
    this.#marks.push({ kind, ...anchor, ...told });
    if (kind === 'prompt' || kind === 'continuation') this.#isPromptOver = false;
    // In one go, so that a flood of marks does not move the list each time.
    if (this.#marks.length >= 2 * MARKS_MAX) this.#marks = this.#marks.slice(-MARKS_MAX);
  }

  clear(): void {
    this.#marks = [];
  }
}
