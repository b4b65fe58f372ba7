import { expect } from 'vitest';
import { COLOR_RGB } from '../../../src/termprog/engine/cell.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { BORDER, openPaintedWindow, Page } from './painted-window.ts';

const COLUMNS = 200;
const ROWS = 50;
/** Height of a cell of `fixed`, in pixels. */
const HEIGHT = 13;
const WHITE = 0xffffff;

/** Gives every cell colours that it did not have, and that its neighbours do not have. */
function changeEveryCell(page: Page, round: number): void {
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < COLUMNS; column += 1) {
      const color = (round << 16) | (row << 8) | column;
      page.set(row, column, 0x41 + (column % 26), {
        foreground: COLOR_RGB | color,
        background: COLOR_RGB | (~color & 0xffffff),
      });
    }
  }
}

test('on a screen of which every cell changes with every frame, each row is painted after a few frames', async ({
  desktop,
}) => {
  await using window = await openPaintedWindow(desktop, { columns: COLUMNS, rows: ROWS });
  const page = new Page(COLUMNS, ROWS);
  let isComplete = true;
  for (let round = 1; round <= 6; round += 1) {
    changeEveryCell(page, round);
    await window.show(page);
    isComplete &&= window.sent.isComplete;
  }

  expect(isComplete).toBe(false);
  const pixels = await window.pixels();
  const width = COLUMNS * 6 + 2 * BORDER;
  const unpainted = Array.from({ length: ROWS }, (_, row) => row).filter(
    (row) => pixels[(BORDER + row * HEIGHT) * width + BORDER] === WHITE,
  );
  expect(unpainted).toEqual([]);
  expect(window.errors).toEqual([]);
});
