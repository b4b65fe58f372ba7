import { expect } from 'vitest';
import {
  BLINK,
  BOLD,
  COLOR_INDEXED,
  COLOR_RGB,
  INVERSE,
  ITALIC,
  UNDERLINE,
  UNDERLINE_SHIFT,
} from '../../../src/termprog/engine/cell.ts';
import type { Scroll } from '../../../src/termprog/engine/damage.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { CELL, madeSlotFonts } from './made-faces.ts';
import { BORDER, COLORS, type Look, openPaintedWindow, Page, type PaintedWindow } from './painted-window.ts';

const COLUMNS = 24;
const ROWS = 8;

const open = (x = 0): Promise<PaintedWindow> =>
  openPaintedWindow(desktop, { columns: COLUMNS, rows: ROWS, x }, { outline: madeSlotFonts() });

const LOOKS: readonly Look[] = [
  {},
  {},
  { foreground: BOLD },
  { foreground: INVERSE },
  { foreground: COLOR_INDEXED | 3, background: (1 << UNDERLINE_SHIFT) | COLOR_INDEXED | 12 },
  { foreground: COLOR_RGB | 0x12_80_40 },
  { foreground: BLINK },
  { foreground: ITALIC | COLOR_INDEXED | 5, background: UNDERLINE.curly << UNDERLINE_SHIFT },
  { foreground: BLINK | INVERSE, background: (UNDERLINE.dotted << UNDERLINE_SHIFT) | COLOR_INDEXED | 2 },
];
const SHAPES = ['block', 'underline', 'bar'] as const;
const TEXTS = ['plain', 'WORD', 'a', 'W', '漢字', '─┼╱', 'e\u0301x\u0308', '🚀', 'ÿþ', '\ue000', '            ', ' a '];

test('any sequence of changes and scrolls ends in the pixels of painting once', async () => {
  await using window = await open();
  await using fresh = await open(300);
  for (let seed = 1; seed <= 12; seed += 1) {
    const random = randomFrom(seed);
    const page = new Page(COLUMNS, ROWS);
    await window.show(page);
    for (let step = 0; step < 10; step += 1) {
      const scrolls = change(page, random);
      const shape = SHAPES[random(SHAPES.length)] ?? 'block';
      window.painter.showBlinkingText(random(2) === 0);
      await window.show(
        page,
        { scrolls },
        { column: random(COLUMNS), row: random(ROWS), shape, isSolid: random(2) === 0 },
      );
    }
    window.painter.showBlinkingText(true);
    await window.show(page);
    fresh.painter.forgetEverything();
    await fresh.show(page);
    const [shown, expected] = [await window.pixels(), await fresh.pixels()];
    const differences = shown.filter((pixel, at) => pixel !== expected[at]).length;
    expect([seed, differences]).toEqual([seed, 0]);
  }
  expect([...window.errors, ...fresh.errors]).toEqual([]);
});

test('a glyph covers the background by its coverage, in the colour of its text', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  page.write(0, 0, 'p', { foreground: COLOR_RGB | 0xff0000 });
  await window.show(page);

  const pixels = await window.pixels();
  const width = COLUMNS * CELL.width + 2 * BORDER;
  const top = (BORDER + 1) * width + BORDER;
  for (const at of [0, 1, 5]) {
    const coverage = (at * 37 + 0x70 * 11) % 256;
    const paper = 255 - coverage;
    expect(pixels[top + at]).toBe((0xff << 16) | (paper << 8) | paper);
  }
});

test('a coloured glyph has its own colours over the background', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  page.write(0, 0, '🚀', { foreground: COLOR_INDEXED | 3 });
  await window.show(page);

  const y = BORDER + 3;
  expect(await window.pixelAt(BORDER + 2, y)).toBe(0xff0000);
  expect(await window.pixelAt(BORDER + CELL.width + 2, y)).toBe(0x7f7fff);
  expect(window.errors).toEqual([]);
});

test('a page in few colours is few requests, and its glyphs are sent once', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  const fill = (shift: number): void => {
    for (let row = 0; row < ROWS; row += 1) {
      for (let column = 0; column < COLUMNS; column += 1) {
        const look = { foreground: COLOR_INDEXED | ((row + column + shift) % 4) };
        page.write(row, column, String.fromCharCode(0x61 + ((row * 5 + column + shift) % 26)), look);
      }
    }
  };
  fill(0);
  await window.show(page);
  const first = { ...window.sent };
  fill(1);
  await window.show(page);

  expect(first.requests).toBeLessThan(40);
  // One fill of the background, and a request for each colour: 8 bytes of a cell's background, 12 of its glyph.
  expect(window.sent.requests).toBeLessThanOrEqual(8);
  expect(window.sent.bytes).toBeLessThan(COLUMNS * ROWS * 20 + 500);
  expect(window.errors).toEqual([]);
});

test('hidden text shows its background, and lines of another colour lie over text', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  page.extras.push({ underlineColor: COLOR_RGB | 0x00ff00, link: undefined });
  page.write(0, 0, 'xyz', { foreground: COLOR_INDEXED | 3, background: COLOR_INDEXED | 3 });
  page.write(1, 0, 'xyz', { background: 1 << UNDERLINE_SHIFT, extra: 1 });
  await window.show(page);

  const color = COLORS.ansi[3];
  const expected = color && (color.red << 16) | (color.green << 8) | color.blue;
  expect(await window.pixelAt(BORDER + 3, BORDER + 4)).toBe(expected);
  expect(await window.pixelAt(BORDER + 3, BORDER + CELL.height + 10)).toBe(0x00ff00);
});

test('cells that are shown already are not sent again', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  page.write(0, 0, 'WORD 漢字 🚀 e\u0301 ÿ');
  await window.show(page);
  await window.show(page);

  expect(window.sent).toMatchObject({ bytes: 0, requests: 0 });

  await window.show(page, 'everything');
  expect(window.sent).toMatchObject({ bytes: 0, requests: 0 });
});

test('after an error all glyphs are sent again', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  page.write(0, 0, 'WORD 漢字 🚀 e\u0301 ÿ');
  await window.show(page);
  const before = await window.pixels();
  window.painter.forgetEverything();
  await window.show(page);

  expect(await window.pixels()).toEqual(before);
  expect(window.errors).toEqual([]);
});

test('procedural glyphs are drawn where no named face has them, or before all faces where they are forced', async () => {
  const slot = madeSlotFonts();
  const faces = slot.router;
  // All faces have the light line; they lack the block and the slanted line.
  const router: typeof faces = {
    route: (request, step) =>
      [0x2588, 0x2571].includes(request.codePoints[0] ?? 0) ? { kind: 'missing' } : faces.route(request, step),
  };
  const outline = { ...slot, router };
  await using named = await openPaintedWindow(desktop, { columns: COLUMNS, rows: ROWS }, { outline });
  await using forced = await openPaintedWindow(
    desktop,
    { columns: COLUMNS, rows: ROWS, x: 300 },
    { outline, forcesProcedural: true },
  );
  const page = new Page(COLUMNS, ROWS);
  page.write(0, 0, '─█╱');
  await named.show(page);
  await forced.show(page);

  const rowOf = async (window: PaintedWindow, y: number): Promise<number[]> => {
    const width = COLUMNS * CELL.width + 2 * BORDER;
    return [...(await window.pixels())].slice((BORDER + y) * width + BORDER).slice(0, 3 * CELL.width);
  };
  const middle = await rowOf(forced, 5);
  expect(middle.slice(0, 2 * CELL.width)).toEqual(Array(2 * CELL.width).fill(0));
  expect(middle.slice(2 * CELL.width).filter((pixel) => pixel !== 0 && pixel !== 0xffffff)).not.toEqual([]);
  const byFaces = await rowOf(named, 5);
  expect(byFaces.slice(0, CELL.width)).not.toEqual(middle.slice(0, CELL.width));
  expect(byFaces.slice(CELL.width)).toEqual(middle.slice(CELL.width));

  named.painter.setForcesProcedural(true);
  await named.show(page);
  expect(await named.pixels()).toEqual(await forced.pixels());
  named.painter.setForcesProcedural(false);
  await named.show(page);
  expect(await rowOf(named, 5)).toEqual(byFaces);
  expect([...named.errors, ...forced.errors]).toEqual([]);
});

test('a cluster that no face draws as a whole keeps its first character and the marks there are', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  page.write(0, 0, 'x\u0301\u036b');
  await window.show(page);
  const apart = await window.pixels();
  const whole = new Page(COLUMNS, ROWS);
  whole.write(0, 0, 'x\u0301');
  await window.show(whole);

  expect(apart).toEqual(await window.pixels());
});

test('clusters that were never seen before are painted some rows at a time', async () => {
  await using window = await open();
  await using fresh = await open(300);
  const page = new Page(COLUMNS, ROWS);
  const marks = [0x300, 0x301, 0x302, 0x303, 0x304];
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < COLUMNS; column += 1) {
      const letter = String.fromCodePoint(0x61 + column, 0x320 + row, ...marks);
      page.write(row, column, letter);
    }
    await fresh.show(page);
  }
  const frames = await showWhole(window, page);

  expect(frames).toBeGreaterThan(2);
  expect(await window.pixels()).toEqual(await fresh.pixels());
  expect(window.errors).toEqual([]);
});

test('a row of clusters that were never seen before is painted some cells at a time', async () => {
  await using window = await open();
  await using fresh = await open(300);
  const page = new Page(COLUMNS, ROWS);
  const random = randomFrom(7);
  const marks = Array.from({ length: 31 }, (_, mark) => 0x320 + mark);
  for (let column = 0; column < COLUMNS; column += 1) {
    // Capital letters reach into the cells beside their own.
    const letter = (column % 3 === 0 ? 0x41 : 0x61) + column;
    page.write(ROWS - 1, column, String.fromCodePoint(letter, ...marks), LOOKS[random(LOOKS.length)]);
    await fresh.show(page);
  }
  const frames = await showWhole(window, page);

  expect(frames).toBeGreaterThan(1);
  expect(await window.pixels()).toEqual(await fresh.pixels());
  expect(window.errors).toEqual([]);
});

test('a page of characters that were never seen before is one frame: each frame waits for the server', async () => {
  const columns = 120;
  await using window = await openPaintedWindow(desktop, { columns, rows: ROWS }, { outline: madeSlotFonts() });
  const page = new Page(columns, ROWS);
  for (let cell = 0; cell < columns * ROWS; cell += 1)
    page.set(Math.floor(cell / columns), cell % columns, 0x100 + cell);
  await window.show(page);

  expect(window.sent.isComplete).toBe(true);
  expect(window.errors).toEqual([]);
});

test('a page of emoji that were never seen before is painted some rows at a time', async () => {
  const columns = 60;
  await using window = await openPaintedWindow(desktop, { columns, rows: ROWS }, { outline: madeSlotFonts() });
  const page = new Page(columns, ROWS);
  for (let row = 0; row < ROWS; row += 1) {
    const emoji = Array.from({ length: columns / 2 }, (_, at) => 0x1f300 + row * 30 + at);
    page.write(row, 0, String.fromCodePoint(...emoji));
  }
  await window.show(page);
  const isFirstComplete = window.sent.isComplete;
  while (!window.sent.isComplete) await window.show(page, { rows: new Uint8Array(ROWS) });

  expect(isFirstComplete).toBe(false);
  expect(window.errors).toEqual([]);
});

test('more glyphs than the server may keep are sent again, and the picture stays right', async () => {
  await using window = await open();
  await using fresh = await open(300);
  const first = 0x100;
  const perPage = COLUMNS * ROWS;
  const pageOf = (number: number): Page => {
    const page = new Page(COLUMNS, ROWS);
    const look = { foreground: number % 2 === 0 ? 0 : BOLD };
    for (let cell = 0; cell < perPage; cell += 1) {
      const code = first + Math.floor(number / 2) * perPage + cell;
      page.set(Math.floor(cell / COLUMNS), cell % COLUMNS, code, look);
    }
    return page;
  };
  // 16,384 glyphs may stay; characters above U+3000 would take two cells.
  const pages = Math.floor((0x3000 - first) / perPage) * 2;
  expect(pages * perPage).toBeGreaterThan(16_384);
  for (let number = 0; number < pages; number += 1) await window.show(pageOf(number));
  await fresh.show(pageOf(pages - 1));
  expect(await window.pixels()).toEqual(await fresh.pixels());

  await window.show(pageOf(0));
  await fresh.show(pageOf(0));
  expect(await window.pixels()).toEqual(await fresh.pixels());
  expect(window.errors).toEqual([]);
});

/** Numbers that come again from the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function change(page: Page, random: (below: number) => number): Scroll[] {
  const scrolls: Scroll[] = [];
  for (let edits = 1 + random(4); edits > 0; edits -= 1) {
    const row = random(ROWS);
    const look = LOOKS[random(LOOKS.length)] ?? {};
    if (random(5) > 0) {
      page.write(row, random(COLUMNS), TEXTS[random(TEXTS.length)] ?? '', look);
      page.blankHalves(row);
    } else {
      const scroll = { top: 1, bottom: ROWS - 2, lines: random(2) === 0 ? 1 : -1 };
      page.scroll(scroll);
      scrolls.push(scroll);
    }
  }
  return scrolls;
}

/** Shows a page in as many frames as it takes; how many these are. */
async function showWhole(window: Awaited<ReturnType<typeof open>>, page: Page): Promise<number> {
  await window.show(page);
  let frames = 1;
  for (; !window.sent.isComplete; frames += 1) await window.show(page, { rows: new Uint8Array(ROWS) });
  return frames;
}
