import { expect, test } from 'vitest';
import type { CellLine } from '../../../../../src/termprog/engine/cell.ts';
import { type LineDecorator, ShownLines } from '../../../../../src/termprog/window/frame/shown-lines.ts';

const plain: CellLine = { id: 1, isWrapped: false, words: new Uint32Array(4) };
const decorated: CellLine = { id: 2, isWrapped: false, words: new Uint32Array(4) };

function showLines(): { lines: ShownLines; state: { isActive: boolean; asked: number } } {
  const state = { isActive: false, asked: 0 };
  const decorator: LineDecorator = {
    get isActive() {
      state.asked += 1;
      return state.isActive;
    },
    decorate: () => decorated,
    covers: (row) => row === 3,
    clusterText: () => 'of the decorator',
  };
  const lines = new ShownLines({
    line: () => plain,
    clusterText: () => 'of the view',
    extra: () => ({ link: undefined, underlineColor: 0 }) as never,
  });
  lines.add(decorator);
  return { lines, state };
}

test('active layers lie over each line of a frame', () => {
  const { lines, state } = showLines();
  state.isActive = true;
  lines.beginFrame();

  expect([lines.line(0), lines.line(5)]).toEqual([decorated, decorated]);
  expect([lines.covers(3), lines.covers(4)]).toEqual([true, false]);
  expect(lines.clusterText(1)).toBe('of the decorator');
});

test('inactive layers leave lines, the cursor and clusters alone', () => {
  const { lines } = showLines();
  lines.beginFrame();

  expect(lines.line(0)).toBe(plain);
  expect(lines.covers(3)).toBe(false);
  expect(lines.clusterText(1)).toBe('of the view');
});

test('whether something is active is asked once a frame, however many rows it has', () => {
  const { lines, state } = showLines();
  lines.beginFrame();
  for (let row = 0; row < 24; row += 1) lines.line(row);
  expect(state.asked).toBe(1);

  state.isActive = true;
  expect(lines.line(0)).toBe(plain);
  lines.beginFrame();
  expect(lines.line(0)).toBe(decorated);
});
