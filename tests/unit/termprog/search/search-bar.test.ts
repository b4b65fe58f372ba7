import { expect, test } from 'vitest';
import {
  CLUSTER,
  CODE_MASK,
  CONTINUATION,
  FOREGROUND,
  INVERSE,
  WORDS_PER_CELL,
} from '../../../../src/termprog/engine/cell.ts';
import { SearchBar } from '../../../../src/termprog/search/search-bar.ts';

/** The bar as text, with _ for its cursor. */
function shown(bar: SearchBar, query: string, status: string, columns: number): string {
  const words = bar.layOut({ query, status }, columns);
  let text = '';
  for (let at = 0; at < words.length; at += WORDS_PER_CELL) {
    const content = words[at] ?? 0;
    const number = content & CODE_MASK;
    if (((words[at + FOREGROUND] ?? 0) & INVERSE) === 0) text += '_';
    else if ((content & CLUSTER) !== 0) text += bar.clusterText(number) ?? '?';
    else if ((content & CONTINUATION) === 0) text += number === 0 ? ' ' : String.fromCodePoint(number);
  }
  return text;
}

test.each([
  [40, 'needle', '3/17', ' Search: needle_                   3/17 '],
  [28, 'needle', '3/17', ' Search: needle_       3/17 '],
  [24, 'needle', '3/17', '/needle_           3/17 '],
  [16, 'needle', '3/17', '/needle_        '],
  [8, 'needle', '3/17', 'needle_ '],
  [4, 'needle', '3/17', 'dle_'],
  [1, 'needle', '3/17', '_'],
])('with %i columns it is cut where it does least harm', (columns, query, status, expected) => {
  expect(shown(new SearchBar(), query, status, columns)).toBe(expected);
});

test('of a long text the end is shown', () => {
  expect(shown(new SearchBar(), 'a very long text indeed', '3/17', 28)).toBe(' Search:  text indeed_ 3/17 ');
});

test('wide characters take two cells, and clusters stay whole', () => {
  const bar = new SearchBar();
  expect(shown(bar, '漢👩‍🚀e\u0302\u0323', '', 22)).toBe(' Search: 漢👩‍🚀\u1ec7_       ');
  expect(shown(bar, '漢字漢字', '', 5)).toBe('漢字_');
});
