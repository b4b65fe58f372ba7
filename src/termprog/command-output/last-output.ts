import { cellsOfRow, textOfCell } from '../engine/cell-text.ts';
import type { ScreenView } from '../engine/engine.ts';
import type { ShellMark } from '../engine/shell-mark.ts';
import { placeOf, type TextPlace } from '../engine/text-anchors.ts';

/** Most characters that are passed on; the beginning of a longer output is dropped. */
const CHARACTERS_MAX = 8 * 1024 * 1024;

/** The parts of the terminal that are read. */
export interface MarkedScreen extends ScreenView {
  readonly shellMarks: readonly ShellMark[];
}

/**
 * Returns the output of the last completed command, between its marks; empty when no completed command is known, or its
 * output has left the history. If a part has left the history, the rest is returned.
 */
export function lastCommandOutput(screen: MarkedScreen): string {
  const marks = lastCompleted(screen.shellMarks);
  const end = marks && placeOf(screen, marks.end);
  if (marks === undefined || end === undefined) return '';
  const start = placeOf(screen, marks.start) ?? { row: -screen.historyLines, column: 0 };
  return textBetween(screen, start, end);
}

/** Most characters of a command that are shown. */
const COMMAND_MAX = 200;

/**
 * Most rows of a command that are read, and most marks that are searched for its beginning: an application may set
 * many.
 */
const COMMAND_ROWS_MAX = 64;
const COMMAND_MARKS_MAX = 256;

/**
 * Returns the command whose output begins at the last mark, as its user typed it, in one line of at most 200
 * characters; empty when the shell does not mark where commands are typed.
 */
export function lastCommandLine(screen: MarkedScreen): string {
  const marks = screen.shellMarks.slice(-COMMAND_MARKS_MAX);
  const output = marks.pop();
  // The prompts of continuation lines belong to the command.
  const command = marks.findLast(({ kind }) => kind !== 'continuation');
  const end = output?.kind === 'output' ? placeOf(screen, output) : undefined;
  const start = command?.kind === 'command' ? placeOf(screen, command) : undefined;
  if (start === undefined || end === undefined) return '';
  const isLong = end.row - start.row >= COMMAND_ROWS_MAX;
  const read = isLong ? { row: start.row + COMMAND_ROWS_MAX, column: 0 } : end;
  const text = textBetween(screen, start, read).replaceAll(/\s+/g, ' ').trim();
  return text.length > COMMAND_MAX || isLong ? `${cutEnd(text, COMMAND_MAX - 1)}…` : text;
}

/** Cuts a text without splitting a surrogate pair. */
const cutEnd = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

/**
 * Finds the last completed command. A shell may mark the end of a command that it did not run, such as an empty line:
 * these have no output.
 */
function lastCompleted(marks: readonly ShellMark[]): { start: ShellMark; end: ShellMark } | undefined {
  let end: ShellMark | undefined;
  for (const mark of marks.toReversed()) {
    if (mark.kind === 'end') end = mark;
    else if (mark.kind === 'output' && end !== undefined) return { start: mark, end };
    else if (mark.kind === 'output') continue;
    else if (mark.kind === 'prompt') end = undefined;
  }
  return undefined;
}

/**
 * Returns the text between two places: lines end with a line feed, without trailing blanks; wrapped rows are joined.
 */
function textBetween(screen: ScreenView, start: TextPlace, end: TextPlace): string {
  const rows: string[] = [];
  let length = 0;
  for (let row = end.row; row >= start.row && length < CHARACTERS_MAX; row -= 1) {
    const text = textOfRow(screen, row, {
      from: row === start.row ? start.column : 0,
      to: row === end.row ? end.column : Number.POSITIVE_INFINITY,
      isLast: row === end.row,
    });
    rows.push(text);
    length += text.length;
  }
  return rows.reverse().join('').slice(-CHARACTERS_MAX);
}

function textOfRow(
  screen: ScreenView,
  row: number,
  { from, to, isLast }: { from: number; to: number; isLast: boolean },
): string {
  const line = screen.line(row);
  if (line === undefined) return '';
  const cells = Math.min(to, cellsOfRow(screen, row));
  let text = '';
  for (let column = from; column < cells; column += 1) text += textOfCell(screen, line, column);
  if (isLast) return text;
  return line.isWrapped ? text : `${text.trimEnd()}\n`;
}
