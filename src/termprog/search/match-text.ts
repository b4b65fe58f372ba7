import { CLUSTER, CODE_MASK, CONTENT, CONTINUATION, WIDE, WORDS_PER_CELL } from '../engine/cell.ts';
import type { Match } from './find-matches.ts';
import type { TextView } from './line-text.ts';

/** The text of a match as it stands there. @param pushed rows that its numbers are greater than those of the screen */
export function matchText(view: TextView, { row, column, endRow, endColumn }: Match, pushed: number): string {
  let text = '';
  for (let number = row; number <= endRow; number += 1) {
    const words = view.line(number - pushed)?.words ?? new Uint32Array();
    const nextContent = view.line(number - pushed + 1)?.words[CONTENT] ?? 0;
    const cells = words.length / WORDS_PER_CELL;
    const isBlankLeft = words[(cells - 1) * WORDS_PER_CELL + CONTENT] === 0 && (nextContent & WIDE) !== 0;
    const end = number === endRow ? endColumn : isBlankLeft ? cells - 1 : cells;
    for (let at = number === row ? column : 0; at < end; at += 1)
      text += cellText(view, words[at * WORDS_PER_CELL + CONTENT] ?? 0);
  }
  return text;
}

function cellText(view: TextView, content: number): string {
  if ((content & CONTINUATION) !== 0) return '';
  const code = content & CODE_MASK;
  if ((content & CLUSTER) !== 0) return view.clusterText(code);
  return code === 0 ? ' ' : String.fromCodePoint(code);
}
