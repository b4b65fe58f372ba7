import type { EditedRows } from './edited-rows.ts';
import type { ScreenView } from './engine.ts';
import type { HeldRows } from './reflow.ts';
import { fillsRow } from './row-cells.ts';
import type { ShellMark } from './shell-mark.ts';
import { placeOf } from './text-anchors.ts';

type Lines = Pick<ScreenView, 'line' | 'rowOf'>;

/** Ids of lines. */
interface ErasedLines {
  /** The line that was last erased from its beginning on, below a row full of text. */
  clearedLine: number | undefined;
  /** The line from whose beginning on everything below was last erased. */
  drawnFrom: number | undefined;
}

/**
 * Returns the rows that a line editor, such as that of a shell, redraws when the size changes. The editor goes to the
 * first of them by counting the rows that it has drawn, so their number must not change. Returns undefined for a shell
 * that says that it does not redraw.
 * @param drawn what the output shows about where a program has drawn; `edited` is given only while it certainly edits
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
  // Lines below the one in which the prompt ends may be what a program in the background has written meanwhile. The
  // editor to which they belong erases them without help.
  if (redraw !== undefined && edited !== undefined && lineStart > edited.row) {
    return { first: redraw === 'all' ? start.row : firstRowOfLine(view, edited.row, drawn), clearFrom: undefined };
  }
  if (redraw === 'all') return { first: start.row, clearFrom: start };
  // An editor that does not say so may or may not redraw the lines above, so these stay as they are.
  const input =
    edited === undefined || redraw !== 'last'
      ? lineStart
      : firstRowOfLine(view, Math.min(edited.row, cursorRow), drawn);
  const clearFrom = input > start.row ? { row: input, column: 0 } : start;
  return { first: redraw === 'last' ? clearFrom.row : start.row, clearFrom };
}

/**
 * Returns where the prompt begins and ends at which the user types; undefined while a command runs or if the shell sets
 * no marks.
 */
function openPrompt(marks: readonly ShellMark[]): { start: ShellMark; end: ShellMark | undefined } | undefined {
  let end: ShellMark | undefined;
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const mark = marks[index] as ShellMark;
    // fish marks the end of its prompt again when it redraws it, below what has been written meanwhile.
    if (mark.kind === 'command') end = mark;
    else if (mark.kind === 'prompt' || mark.kind === 'continuation') return { start: mark, end };
    else break;
  }
  return undefined;
}

/**
 * Returns the first row of a line of text on the screen. If its prompt fills a row exactly, zsh does not wait for text
 * that wraps: it goes to the next row by a line feed, and erases that row.
 */
function firstRowOfLine(view: Lines, row: number, { clearedLine, drawnFrom }: ErasedLines): number {
  let first = row;
  while (first > 0) {
    const above = view.line(first - 1);
    const isPrompt = view.line(first)?.id === clearedLine && above !== undefined && fillsRow(above);
    if (above?.isWrapped !== true && !isPrompt) break;
    first -= 1;
  }
  // When zsh redraws its prompt, it only erases everything from there on.
  let top = first;
  while (top > 0 && view.line(top)?.id !== drawnFrom) {
    const above = view.line(top - 1);
    if (above === undefined || (!above.isWrapped && !fillsRow(above))) break;
    top -= 1;
  }
  return view.line(top)?.id === drawnFrom ? top : first;
}
