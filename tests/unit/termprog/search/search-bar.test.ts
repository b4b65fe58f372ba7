import { expect, test } from 'vitest';
import {
  BACKGROUND,
  CLUSTER,
  CODE_MASK,
  CONTINUATION,
  FOREGROUND,
  INVERSE,
  UNDERLINE,
  UNDERLINE_SHIFT,
  WORDS_PER_CELL,
} from '../../../../src/termprog/engine/cell.ts';
import type { Composition } from '../../../../src/termprog/ports/text-input.ts';
import { SearchBar } from '../../../../src/termprog/search/search-bar.ts';

/** The bar as text, with _ for its cursor. */
function shown(bar: SearchBar, query: string, status: string, columns: number, composition?: Composition): string {
  const words = bar.layOut({ query, status, composition }, columns);
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

test('the end of a long text is shown', () => {
  expect(shown(new SearchBar(), 'a very long text indeed', '3/17', 28)).toBe(' Search:  text indeed_ 3/17 ');
});

test('wide characters take two cells, and clusters stay whole', () => {
  const bar = new SearchBar();
  expect(shown(bar, '漢👩‍🚀e\u0302\u0323', '', 22)).toBe(' Search: 漢👩‍🚀\u1ec7_       ');
  expect(shown(bar, '漢字漢字', '', 5)).toBe('漢字_');
});

/** The word of a line under text. */
const UNDERLINED = UNDERLINE.single << UNDERLINE_SHIFT;

const composing = (text: string, caret: number): Composition => ({
  characters: Array.from(text, (character) => ({ character, foreground: 0, background: UNDERLINED })),
  caret,
});

test.each([
  [30, 'ab', composing('漢字', 2), ' Search: ab漢字_         3/17 '],
  [30, 'ab', composing('xyz', 1), ' Search: abx_z           3/17 '],
  [6, 'ab', composing('漢字', 2), 'b漢字_'],
  [3, 'ab', composing('漢字', 2), '字_'],
])(
  'with %i columns, what is composed stands behind the query, and the cursor where its caret is',
  (columns, query, composition, expected) => {
    expect(shown(new SearchBar(), query, '3/17', columns, composition)).toBe(expected);
  },
);

test('composed text looks as the input method wants it, and the next text stands where it begins', () => {
  const bar = new SearchBar();
  const text = { query: 'ab', status: '', composition: composing('漢x', 2) };
  const words = bar.layOut(text, 30);
  const lined = Array.from({ length: 30 }, (_, column) => words[column * WORDS_PER_CELL + BACKGROUND] === UNDERLINED);
  expect([lined.indexOf(true), lined.lastIndexOf(true)]).toEqual([11, 13]);
  expect(bar.typingColumn(text, 30)).toBe(11);
  expect(bar.typingColumn({ query: 'ab', status: '' }, 2)).toBe(1);
});
