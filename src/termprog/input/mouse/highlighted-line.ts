import { type CellLine, CONTENT, FOREGROUND, INVERSE, WORDS_PER_CELL } from '../../engine/cell.ts';
import type { HighlightTracking } from './highlight-tracking.ts';

/** Returns the column after the last character. */
export function textEndOf(line: CellLine | undefined): number {
  if (line === undefined) return 0;
  let end = line.words.length / WORDS_PER_CELL;
  while (end > 0 && line.words[(end - 1) * WORDS_PER_CELL + CONTENT] === 0) end -= 1;
  return end;
}

/** Shows the text that the mouse highlights for an application, with swapped colours. */
export class HighlightDecorator {
  readonly #highlights: Pick<HighlightTracking, 'text'>;

  constructor(highlights: Pick<HighlightTracking, 'text'>) {
    this.#highlights = highlights;
  }

  get isActive(): boolean {
    return this.#highlights.text !== undefined;
  }

  decorate(row: number, line: CellLine): CellLine {
    const text = this.#highlights.text;
    if (text === undefined || row < text.start.y || row > text.end.y) return line;
    const first = row === text.start.y ? text.start.x : 0;
    const columns = line.words.length / WORDS_PER_CELL;
    const end = row === text.end.y ? Math.min(text.end.x, columns) : columns;
    if (first >= end) return line;
    const words = line.words.slice();
    for (let at = first * WORDS_PER_CELL; at < end * WORDS_PER_CELL; at += WORDS_PER_CELL) {
      words[at + FOREGROUND] = (words[at + FOREGROUND] as number) ^ INVERSE;
    }
    return { ...line, words };
  }
}
