import { afterAll, beforeAll, expect, test } from 'vitest';
import { BLINK, COLOR_INDEXED } from '../../../src/termprog/engine/cell.ts';
import type { ShownCursor } from '../../../src/termprog/render/painter.ts';
import { startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { openPaintedWindow, Page } from './painted-window.ts';

const COLUMNS = 80;
const ROWS = 24;

/** Less than a row of text takes, more than a few cells do. */
const FEW_BYTES = 200;

let desktop: XDesktop;

beforeAll(async () => {
  desktop = await startXDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

const noRows = { rows: new Uint8Array(ROWS) };

/** A page full of text of changing colours. */
function fullPage(): Page {
  const page = new Page(COLUMNS, ROWS);
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < COLUMNS; column += 8) {
      page.write(row, column, 'some tex', { foreground: COLOR_INDEXED | (column % 7) });
    }
  }
  return page;
}

test('a phase of the cursor paints its cell and no other', async () => {
  await using window = await openPaintedWindow(desktop, { columns: COLUMNS, rows: ROWS });
  const page = fullPage();
  const cursor: ShownCursor = { column: 20, row: 5, shape: 'block', isSolid: true };
  await window.show(page, 'everything', cursor);
  const before = await window.pixels();

  await window.show(page, noRows, undefined);
  expect(window.sent.bytes).toBeLessThan(FEW_BYTES);
  expect(await window.pixels()).not.toEqual(before);
  await window.show(page, noRows, cursor);

  expect(window.sent.bytes).toBeLessThan(FEW_BYTES);
  expect(await window.pixels()).toEqual(before);
});

test('a phase of text paints the cells that blink and no others', async () => {
  await using window = await openPaintedWindow(desktop, { columns: COLUMNS, rows: ROWS });
  const page = fullPage();
  expect(window.painter.hasBlinkingText).toBe(false);
  page.write(3, 10, 'blink', { foreground: BLINK });
  await window.show(page, 'everything');
  expect(window.painter.hasBlinkingText).toBe(true);
  const before = await window.pixels();

  window.painter.showBlinkingText(false);
  await window.show(page, noRows);
  expect(window.sent.bytes).toBeGreaterThan(0);
  expect(window.sent.bytes).toBeLessThan(FEW_BYTES);
  expect(await window.pixels()).not.toEqual(before);
  window.painter.showBlinkingText(true);
  await window.show(page, noRows);

  expect(window.sent.bytes).toBeLessThan(FEW_BYTES);
  expect(await window.pixels()).toEqual(before);
});

test('a screen whose text does not blink any more has nothing to paint in the next phase, and is done with phases', async () => {
  await using window = await openPaintedWindow(desktop, { columns: COLUMNS, rows: ROWS });
  const page = fullPage();
  page.write(3, 10, 'blink', { foreground: BLINK });
  await window.show(page, 'everything');
  page.write(3, 10, 'quiet');
  await window.show(page);

  window.painter.showBlinkingText(false);
  await window.show(page, noRows);

  expect(window.sent.bytes).toBe(0);
  expect(window.painter.hasBlinkingText).toBe(false);
});
