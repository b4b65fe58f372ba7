import type { EditedRows } from './edited-rows.ts';
import type { ScreenView } from './engine.ts';
import type { HeldRows } from './reflow.ts';
import { fillsRow } from './row-cells.ts';
import type { ShellMark } from './shell-mark.ts';
import { placeOf } from './text-anchors.ts';

type Lines = Pick<ScreenView, 'line' | 'rowOf'>;

/** Ids of lines. */
interface ErasedLines {
  /** The one that was last erased from its beginning on, below a row full of text. */
  clearedLine: number | undefined;
  /** The one from whose beginning on everything below was last erased. */
  drawnFrom: number | undefined;
}

/**
 * The rows that an editor of lines, such as that of a shell, draws again when the size changes. It goes to the first of
 * them by counting the rows that it has drawn, so the rows must stay as many as they were. Undefined for a shell that
 * says that it draws nothing again.
 * @param drawn what the output tells of where a program has drawn; `edited` while it edits for certain
 */
export function heldRows(
  view: Lines,
  marks: readonly ShellMark[],
  drawn: ErasedLines & { cursorRow: number; edited?: EditedRows | undefined },
): HeldRows | undefined {
  const { cursorRow, edited: rows } = drawn;
  const prompt = openPrompt(marks);
  const start = prompt && placeOf(view, prompt.start);
  const lineStart = firstRowOfLine(view, cursorRow, drawn);
  if (prompt === undefined || start === undefined || start.row < 0 || start.row > cursorRow) {
    return { first: rows?.firstAbove(view, lineStart) ?? lineStart, clearFrom: undefined };
  }
  const { redraw } = prompt.start;
  if (redraw === 'none') return undefined;
  const edited = prompt.end === undefined ? undefined : placeOf(view, prompt.end);
  // Lines below the one that the prompt ends in may be what a program in the background has written meanwhile. An editor
  // to which they belong erases them by itself.
  if (redraw !== undefined && edited !== undefined && lineStart > edited.row) {
    return { first: redraw === 'all' ? start.row : firstRowOfLine(view, edited.row, drawn), clearFrom: undefined };
  }
  if (redraw === 'all') return { first: start.row, clearFrom: start };
  // Of an editor that says nothing it is not known whether it draws the lines above again, so these stay as they are.
  const input =
    edited === undefined || redraw !== 'last'
      ? lineStart
      : firstRowOfLine(view, Math.min(edited.row, cursorRow), drawn);
  const clearFrom = input > start.row ? { row: input, column: 0 } : start;
  return { first: redraw === 'last' ? clearFrom.row : start.row, clearFrom };
}

/** Where the prompt begins and ends at which the user types; undefined while a command runs or no shell marks anything. */
function openPrompt(marks: readonly ShellMark[]): { start: ShellMark; end: ShellMark | undefined } | undefined {
  let end: ShellMark | undefined;
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const mark = marks[index] as ShellMark;
    // fish ends its prompt once more where it draws that anew, below what has been written meanwhile.
    if (mark.kind === 'command') end = mark;
    else if (mark.kind === 'prompt' || mark.kind === 'continuation') return { start: mark, end };
    else break;
  }
  return undefined;
}

/**
 * Of the rows on the screen. Where its prompt fills a row exactly, zsh does not wait for text that wraps: it goes to the
 * next row by a line feed, and erases that.
 */
function firstRowOfLine(view: Lines, row: number, { clearedLine, drawnFrom }: ErasedLines): number {
  let first = row;
  while (first > 0) {
    const above = view.line(first - 1);
    const isPrompt = view.line(first)?.id === clearedLine && above !== undefined && fillsRow(above);
    if (above?.isWrapped !== true && !isPrompt) break;
    first -= 1;
  }
  // When it draws its prompt anew, it erases nothing but all from there on.
  let top = first;
  while (top > 0 && view.line(top)?.id !== drawnFrom) {
    const above = view.line(top - 1);
    if (above === undefined || (!above.isWrapped && !fillsRow(above))) break;
    top -= 1;
  }
  return view.line(top)?.id === drawnFrom ? top : first;
}
