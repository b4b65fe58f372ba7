import { nextCell } from './cursor-place.ts';
import type { Screen } from './screen.ts';
import type { ShellMark } from './shell-mark.ts';
import { anchorAt } from './text-anchors.ts';

/** The most marks that are kept; a day's work has a few thousand. */
const MARKS_MAX = 16_384;

/** The most rows that are searched for the beginning of a line of text: an application may set many marks. */
const ROWS_MAX = 256;

/**
 * Records where prompts, commands and their output begin and end, oldest first. The marks may refer to lines that left
 * the history.
 */
export class ShellMarks {
  #marks: ShellMark[] = [];
  #isPromptOver = false;

  get all(): readonly ShellMark[] {
    return this.#marks;
  }

  /**
   * Whether the command typed after the last mark has been run. Only a shell that sets no marks needs this, because a
   * mark would say so.
   */
  get isPromptOver(): boolean {
    return this.#isPromptOver;
  }

  /**
   * Records that a line editor no longer takes pastes, so the command is run. The last mark may come from elsewhere: it
   * may be in a file that was shown.
   */
  endPrompt(): void {
    this.#isPromptOver = true;
  }

  /** Marks the place where text goes on. */
  add(kind: ShellMark['kind'], screen: Screen, facts: Pick<ShellMark, 'exitStatus' | 'redraw'> = {}): void {
    const view = { line: (row: number) => screen.grid.line(row) };
    const anchor = anchorAt(view, nextCell(screen), ROWS_MAX);
    if (anchor === undefined) return;
    this.#marks.push({ kind, ...anchor, ...facts });
    if (kind === 'prompt' || kind === 'continuation') this.#isPromptOver = false;
    // The list is shortened rarely, so that a flood of marks does not move it each time.
    if (this.#marks.length >= 2 * MARKS_MAX) this.#marks = this.#marks.slice(-MARKS_MAX);
  }

  clear(): void {
    this.#marks = [];
  }
}
