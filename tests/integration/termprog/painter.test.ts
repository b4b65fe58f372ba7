import { expect } from 'vitest';
import { COLOR_RGB } from '../../../src/termprog/engine/cell.ts';
import type { ShownCursor } from '../../../src/termprog/render/painter.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { BORDER, openPaintedWindow, Page } from './painted-window.ts';

const COLUMNS = 24;
const ROWS = 8;
/** Cell of `fixed`. */
const WIDTH = 6;
const HEIGHT = 13;

test('unchanged cells are not drawn again, and one cell is a few bytes', async ({ desktop }) => {
  await using window = await openPaintedWindow(desktop, { columns: COLUMNS, rows: ROWS });
  const page = new Page(COLUMNS, ROWS);
  for (let row = 0; row < ROWS; row += 1) page.write(row, 0, `row ${row} of text`);
  const cursor: ShownCursor = { column: 3, row: 3, shape: 'block', isSolid: true };
  await window.show(page, {}, cursor);

  await window.show(page, { rows: new Uint8Array(ROWS) }, cursor);
  expect(window.sent.requests).toBe(0);

  await window.show(page, 'everything', undefined);
  page.write(1, 4, 'x');
  await window.show(page, {}, undefined);
  expect(window.sent.bytes).toBeLessThan(64);
});

test('a run of one style is one change of state and one request for text', async ({ desktop }) => {
  await using window = await openPaintedWindow(desktop, { columns: COLUMNS, rows: ROWS });
  const page = new Page(COLUMNS, ROWS);
  await window.show(page);
  for (let row = 0; row < ROWS; row += 1) {
    page.write(row, 0, 'twelve cells', { foreground: COLOR_RGB | (0x10_0000 * row + 1) });
    page.write(row, 12, 'twelve cells', { foreground: COLOR_RGB | (0x10_0000 * row + 2) });
  }

  await window.show(page);

  expect(window.sent.requests).toBe(2 * 2 * ROWS);
});

test('a scroll moves pixels on the server, and only the new rows are drawn', async ({ desktop }) => {
  await using window = await openPaintedWindow(desktop, { columns: COLUMNS, rows: ROWS });
  const page = new Page(COLUMNS, ROWS);
  for (let row = 0; row < ROWS; row += 1) page.write(row, 0, `row ${row}`);
  await window.show(page);
  const before = await window.pixels();
  const scroll = { top: 1, bottom: 6, lines: 2 };
  page.scroll(scroll);
  const rows = new Uint8Array(ROWS).fill(1, 5, 7);

  await window.show(page, { scrolls: [scroll], rows });

  const after = await window.pixels();
  const width = COLUMNS * WIDTH + 2 * BORDER;
  const rowsOf = (pixels: Uint32Array, row: number, rowCount: number): Uint32Array =>
    pixels.slice((BORDER + row * HEIGHT) * width, (BORDER + (row + rowCount) * HEIGHT) * width);
  expect(rowsOf(after, 1, 4)).toEqual(rowsOf(before, 3, 4));
  expect(rowsOf(after, 0, 1)).toEqual(rowsOf(before, 0, 1));
  expect(window.sent.requests).toBeLessThan(5);
});
