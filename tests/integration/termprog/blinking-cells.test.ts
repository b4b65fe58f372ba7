import { expect } from 'vitest';
import { BLINK, COLOR_INDEXED, UNDERLINE, UNDERLINE_SHIFT } from '../../../src/termprog/engine/cell.ts';
import type { ShownCursor } from '../../../src/termprog/render/painter.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { madeSlotFonts } from './made-faces.ts';
import { openPaintedWindow, Page } from './painted-window.ts';

const COLUMNS = 80;
const ROWS = 24;

/** Bytes of a frame with few cells: less than a row of text takes, more than a few cells do. */
const FEW_BYTES = 200;

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

test('a phase of the cursor paints its cell and no other', async ({ desktop }) => {
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

test('a phase of text paints the cells that blink and no others', async ({ desktop }) => {
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

test('a screen whose text does not blink any more paints no further phase, and ends the phases', async ({
  desktop,
}) => {
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

/** Text whose ink leaves its cells, wide text, a cluster, coverage for each colour, an emoji, and shapes of the cell. */
const OUTLINE_TEXT = 'aWb漢e\u0301ÿ🚀─╱█';
const OUTLINE_CELLS = 12;

for (const forcesProcedural of [false, true]) {
  test(`outline text that blinks${forcesProcedural ? ', with procedural glyphs,' : ''} leaves its background and nothing of its neighbours`, async ({
    desktop,
  }) => {
    await using window = await openPaintedWindow(
      desktop,
      { columns: COLUMNS, rows: ROWS },
      { outline: madeSlotFonts(), forcesProcedural },
    );
    const page = new Page(COLUMNS, ROWS);
    page.extras.push({ underlineColor: COLOR_INDEXED | 2, link: undefined });
    const background = COLOR_INDEXED | 11 | (UNDERLINE.curly << UNDERLINE_SHIFT);
    page.write(3, 4, 'near');
    page.write(3, 8, OUTLINE_TEXT, { foreground: BLINK, background, extra: 1 });
    page.write(3, 8 + OUTLINE_CELLS, 'WWW', { foreground: COLOR_INDEXED | 5 });
    const cursor: ShownCursor = { column: 9, row: 3, shape: 'bar', isSolid: true };
    const blank = new Page(COLUMNS, ROWS);
    blank.write(3, 4, 'near');
    blank.write(3, 8, ' '.repeat(OUTLINE_CELLS), { background: COLOR_INDEXED | 11 });
    blank.write(3, 8 + OUTLINE_CELLS, 'WWW', { foreground: COLOR_INDEXED | 5 });
    await window.show(blank, 'everything', cursor);
    const hidden = await window.pixels();
    await window.show(page, 'everything', cursor);
    const shown = await window.pixels();
    expect(shown).not.toEqual(hidden);

    for (let phase = 0; phase < 2; phase += 1) {
      window.painter.showBlinkingText(false);
      await window.show(page, noRows, cursor);
      expect(await window.pixels()).toEqual(hidden);
      window.painter.showBlinkingText(true);
      await window.show(page, noRows, cursor);
      expect(await window.pixels()).toEqual(shown);
    }
    expect(window.errors).toEqual([]);
  });
}
