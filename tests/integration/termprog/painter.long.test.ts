import { expect } from 'vitest';
import {
  BLINK,
  BOLD,
  COLOR_INDEXED,
  COLOR_RGB,
  INVERSE,
  OVERLINE,
  STRIKETHROUGH,
  UNDERLINE,
  UNDERLINE_SHIFT,
} from '../../../src/termprog/engine/cell.ts';
import type { Scroll } from '../../../src/termprog/engine/damage.ts';
import type { FontSet } from '../../../src/termprog/fonts/font-set.ts';
import { bitmapSlotFonts } from '../../../src/termprog/fonts/slot-fonts.ts';
import type { ShownCursor } from '../../../src/termprog/render/painter.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { BORDER, COLORS, type Look, openPaintedWindow, Page, type PaintedWindow, rgb } from './painted-window.ts';

const COLUMNS = 24;
const ROWS = 8;
/** Cell of `fixed`. */
const WIDTH = 6;
const HEIGHT = 13;

const open = (options?: Parameters<typeof openPaintedWindow>[2], x = 0): Promise<PaintedWindow> =>
  openPaintedWindow(desktop, { columns: COLUMNS, rows: ROWS, x }, options);

const count = (pixels: Uint32Array, color: number): number => pixels.filter((pixel) => pixel === color).length;
const noRows = { rows: new Uint8Array(ROWS) };

const LOOKS: readonly Look[] = [
  {},
  {},
  { foreground: BOLD },
  { foreground: BOLD },
  { foreground: INVERSE },
  { foreground: COLOR_INDEXED | 3, background: (1 << UNDERLINE_SHIFT) | COLOR_INDEXED | 12 },
  { foreground: COLOR_RGB | 0x12_80_40, background: STRIKETHROUGH | OVERLINE },
  { background: 1 << UNDERLINE_SHIFT, extra: 1 },
  { background: UNDERLINE.double << UNDERLINE_SHIFT },
  { foreground: BLINK, background: UNDERLINE.curly << UNDERLINE_SHIFT },
  { background: UNDERLINE.dotted << UNDERLINE_SHIFT, extra: 1 },
  { foreground: BLINK | INVERSE, background: UNDERLINE.dashed << UNDERLINE_SHIFT },
];
const TEXTS = ['#&J_', 'J', 'plain', '漢字', '▒▒▓░', '─┼╱', 'e\u0301x\u0308', 'Жд', 'က', '            ', ' a '];

const FONTS: Record<string, Parameters<typeof openPaintedWindow>[2]> = {
  fixed: {},
  'a font without a bold form': { font: '10x20' },
  'fonts whose glyphs overhang': {
    change: (fonts: FontSet) => ({
      ...fonts,
      normal: { ...fonts.normal, overhangs: true },
      bold: undefined,
    }),
  },
};

for (const [name, options] of Object.entries(FONTS)) {
  test(`${name}: any sequence of changes, scrolls and cursors ends in the pixels of painting once`, async () => {
    await using window = await open(options);
    await using fresh = await open(options, 400);
    const random = randomFrom(20_261);
    const page = new Page(COLUMNS, ROWS);
    page.extras[1] = { underlineColor: COLOR_INDEXED | 200, link: undefined };

    for (let step = 0; step < 60; step += 1) {
      const { scrolls, rows } = disturb(page, random);
      const cursor: ShownCursor = {
        column: random(COLUMNS),
        row: random(ROWS),
        shape: (['block', 'underline', 'bar'] as const)[random(3)] ?? 'block',
        isSolid: random(2) === 0,
      };
      const isShown = random(2) === 0;
      window.painter.showBlinkingText(isShown);
      fresh.painter.showBlinkingText(isShown);
      await window.show(page, { scrolls, rows }, cursor);
      fresh.painter.forgetEverything();
      await fresh.show(page, 'everything', cursor);
      expect(await window.pixels(), `after step ${step}`).toEqual(await fresh.pixels());
    }
    expect([...window.errors, ...fresh.errors]).toEqual([]);
  });
}

for (const [name, options] of Object.entries(FONTS)) {
  test(`${name}: what the server has cleared, now or before the last frame, is painted`, async () => {
    await using window = await open(options);
    await using fresh = await open(options, 400);
    const random = randomFrom(31);
    const page = new Page(COLUMNS, ROWS);
    for (let step = 0; step < 60; step += 1) {
      const shape = (['block', 'underline', 'bar'] as const)[random(3)] ?? 'block';
      const cursor: ShownCursor = { column: random(COLUMNS), row: random(ROWS), shape, isSolid: random(2) === 0 };
      await window.show(page, disturb(page, random), cursor);
      const [x, y] = [random(COLUMNS * WIDTH), random(ROWS * HEIGHT)];
      const clear = (): void =>
        window.connection.client.ClearArea(window.window, x, y, 1 + random(60), 1 + random(40), 1);
      clear();
      // The first frame is on its way before the server reports what it has cleared.
      const after = disturb(page, random);
      await window.show(page, after, cursor);
      await window.show(page, noRows, cursor);
      fresh.painter.forgetEverything();
      await fresh.show(page, 'everything', cursor);
      expect(await window.pixels(), `after step ${step}`).toEqual(await fresh.pixels());
    }
    expect([...window.errors, ...fresh.errors]).toEqual([]);
  });
}

test('blank cells that the server has cleared cost no requests', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  page.write(0, 0, 'plain');
  await window.show(page, 'everything');
  window.connection.client.ClearArea(window.window, 0, 0, COLUMNS * WIDTH, ROWS * HEIGHT, 1);
  await window.show(page, noRows);
  await window.show(page, noRows);
  const before = await window.pixels();
  window.painter.forget({ x: BORDER + 10 * WIDTH, y: 0, width: WIDTH, height: ROWS * HEIGHT });
  await window.show(page, noRows);
  expect(window.sent).toMatchObject({ bytes: 0, requests: 0 });
  expect(await window.pixels()).toEqual(before);
});

test('a cursor over a blank cell that the server has cleared is painted again', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  const cursor: ShownCursor = { column: 4, row: 2, shape: 'block', isSolid: true };
  await window.show(page, 'everything', cursor);
  const before = await window.pixels();
  window.connection.client.ClearArea(window.window, 0, 0, COLUMNS * WIDTH, ROWS * HEIGHT, 1);
  // The server reports it after the first frame.
  await window.show(page, noRows, cursor);
  expect(await window.pixels()).not.toEqual(before);
  await window.show(page, noRows, cursor);
  expect(await window.pixels()).toEqual(before);
});

test('areas that scroll into view from under another window are painted', async () => {
  await using window = await open();
  await using fresh = await open({}, 400);
  const { client, screen } = window.connection;
  const cover = client.AllocID();
  client.CreateWindow(cover, screen.root, 30, 80, 50, 20, 0, 0, 0, 0, {
    backgroundPixel: 0xff0000,
    overrideRedirect: 1,
  });
  client.MapWindow(cover);
  const page = new Page(COLUMNS, ROWS);
  for (let row = 0; row < ROWS; row += 1) page.write(row, 0, `row ${row} of text under it`);
  await window.show(page);
  const scrolls = [
    // The second moves on what the first could not copy.
    { top: 0, bottom: 7, lines: 4 },
    { top: 0, bottom: 5, lines: 2 },
  ];
  for (const scroll of scrolls) page.scroll(scroll);

  await window.show(page, { scrolls, rows: new Uint8Array(ROWS).fill(1, 2) });
  // The server has reported by now what it could not copy.
  await window.show(page, noRows);
  client.DestroyWindow(cover);
  await window.show(page, noRows);
  await window.show(page, noRows);
  await fresh.show(page);

  expect(await window.pixels()).toEqual(await fresh.pixels());
});

test('a scroll as large as its rows moves no row', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  for (let row = 0; row < ROWS; row += 1) page.write(row, 0, 'the same');
  await window.show(page);

  await window.show(page, { scrolls: [{ top: 0, bottom: ROWS - 1, lines: 40 }], ...noRows });

  expect(window.sent.requests).toBe(0);
});

test('colours change live: a palette entry, the defaults, the cursor, and whether bold is bright', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  page.write(0, 0, '████', { foreground: COLOR_INDEXED | 1 });
  page.write(1, 0, '████', { foreground: COLOR_INDEXED | 1 | BOLD });
  page.write(2, 0, '████');
  const cursor: ShownCursor = { column: 0, row: 4, shape: 'block', isSolid: true };
  const cell = WIDTH * HEIGHT;
  await window.show(page, {}, cursor);
  const ink = async (color: number): Promise<number> => count(await window.pixels(), color);

  window.painter.setColors({ entries: new Map([[1, rgb(0x11_22_33)]]) });
  await window.show(page, noRows, cursor);
  expect(await ink(0x11_22_33)).toBe(4 * cell);

  window.painter.setColors({ entries: new Map([[9, rgb(0x99_22_33)]]) });
  await window.show(page, noRows, cursor);
  expect(await ink(0x99_22_33)).toBe(4 * cell);

  window.painter.setColors({ boldIsBright: false });
  await window.show(page, noRows, cursor);
  expect(await ink(0x11_22_33)).toBe(8 * cell);

  window.painter.setColors({ foreground: rgb(0xaa_00_aa) });
  await window.show(page, noRows, cursor);
  expect(await ink(0xaa_00_aa)).toBe(5 * cell);

  window.painter.setColors({ cursor: rgb(0x00_bb_00) });
  await window.show(page, noRows, cursor);
  expect(await ink(0x00_bb_00)).toBe(cell);

  window.painter.setColors({ background: rgb(0x00_00_44) });
  await window.show(page, noRows, cursor);
  expect(await ink(0xff_ff_ff)).toBe(0);
  expect(window.painter.backgroundPixel).toBe(0x00_00_44);
});

test('reverse video swaps the defaults, composes with reversed text, and comes back', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  page.write(0, 0, '██');
  page.write(1, 0, '██', { foreground: INVERSE });
  page.write(2, 0, '██', { foreground: COLOR_INDEXED | 7 });
  await window.show(page);
  const before = await window.pixels();
  const total = before.length;
  const cells = (number: number): number => number * WIDTH * HEIGHT;
  const white = (index: number): number => {
    const { red, green, blue } = COLORS.ansi[index] ?? rgb(0);
    return (red << 16) | (green << 8) | blue;
  };

  window.painter.setReverse(true);
  await window.show(page, noRows);
  expect(count(await window.pixels(), 0xff_ff_ff)).toBe(cells(2));
  expect(count(await window.pixels(), 0)).toBe(total - cells(4));
  expect(count(await window.pixels(), white(7))).toBe(cells(2));

  window.painter.setReverse(true, true);
  await window.show(page, noRows);
  expect(count(await window.pixels(), white(0))).toBe(cells(2));

  window.painter.setReverse(false);
  await window.show(page, noRows);
  expect(await window.pixels()).toEqual(before);
});

test('text that is drawn twice leaves nothing beside it', async () => {
  await using window = await open({ font: '10x20' });
  const page = new Page(COLUMNS, ROWS);
  await window.show(page);
  const empty = await window.pixels();
  // These reach the last column of pixels of their cells.
  page.write(2, 5, '#&_J', { foreground: BOLD });
  await window.show(page);
  const width = COLUMNS * 10 + 2 * BORDER;
  const isInside = (pixel: number): boolean => {
    const x = (pixel % width) - BORDER;
    return x >= 50 && x < 90;
  };
  const inked = await window.pixels();
  expect([...inked].every((color, pixel) => color === 0xff_ff_ff || isInside(pixel))).toBe(true);

  page.write(2, 5, '    ');
  await window.show(page);

  expect(await window.pixels()).toEqual(empty);
});

test('text that is drawn twice is complete whichever of its cells change', async () => {
  await using window = await open({ font: '10x20' });
  await using fresh = await open({ font: '10x20' }, 400);
  const page = new Page(COLUMNS, ROWS);
  page.write(0, 2, '#&J_#&J_#&', { foreground: BOLD });
  await window.show(page);

  for (const [column, text] of [
    [3, ' '],
    [6, '_ '],
    [3, '#'],
    [11, 'x'],
    [2, 'y'],
  ] as const) {
    page.write(0, column, text, { foreground: BOLD });
    await window.show(page);
    fresh.painter.forgetEverything();
    await fresh.show(page);
    expect(await window.pixels(), `after ${text} at ${column}`).toEqual(await fresh.pixels());
  }
});

test('text that is drawn twice in the last column stays out of the padding', async () => {
  await using window = await open({ font: '10x20' });
  const page = new Page(COLUMNS, ROWS);
  page.write(0, COLUMNS - 1, '#', { foreground: BOLD });

  await window.show(page);

  const width = COLUMNS * 10 + 2 * BORDER;
  const padding = (await window.pixels()).filter((_, pixel) => pixel % width >= width - BORDER);
  expect(new Set(padding)).toEqual(new Set([0xff_ff_ff]));
});

test('shades are a few requests a row, and those of neighbours are one pattern', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  await window.show(page);
  for (let row = 0; row < ROWS; row += 1) page.write(row, 0, '▒'.repeat(COLUMNS));

  await window.show(page);

  expect(window.sent.requests).toBeLessThan(12);
  const pixels = await window.pixels();
  const width = COLUMNS * WIDTH + 2 * BORDER;
  for (let y = 0; y < HEIGHT * ROWS; y += 1) {
    const row = pixels.slice((BORDER + y) * width + BORDER, (BORDER + y) * width + BORDER + COLUMNS * WIDTH);
    const expected = row.map((_, x) => (((x % WIDTH) + (y % HEIGHT)) % 2 === 0 ? 0 : 0xff_ff_ff));
    expect(row, `pixels of line ${y}`).toEqual(expected);
  }
});

test('fonts that arrive later draw what the first could not', async () => {
  const kept: { fonts?: FontSet } = {};
  const onlyNormal = (fonts: FontSet): FontSet => {
    kept.fonts = fonts;
    return { ...fonts, bold: undefined, normalUnicode: undefined, boldUnicode: undefined, wide: undefined };
  };
  await using window = await open({ change: onlyNormal });
  await using fresh = await open({}, 400);
  const page = new Page(COLUMNS, ROWS);
  page.write(0, 0, 'Жд 漢字 plain');
  page.write(1, 0, 'bold', { foreground: BOLD });
  await window.show(page);

  window.painter.setFonts(bitmapSlotFonts(kept.fonts as FontSet));
  await window.show(page, noRows);
  await fresh.show(page);

  expect(await window.pixels()).toEqual(await fresh.pixels());
});

test('cells whose numbers now mean another cluster are drawn anew', async () => {
  await using window = await open();
  await using fresh = await open({}, 400);
  const page = new Page(COLUMNS, ROWS);
  page.write(0, 0, 'e\u0301');
  await window.show(page);
  page.clusters[0] = 'a\u0308';

  await window.show(page, { ...noRows, isRenumbered: true });
  await fresh.show(page);

  expect(await window.pixels()).toEqual(await fresh.pixels());
});

test('a larger screen keeps what is shown and paints what is new', async () => {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  for (let row = 0; row < ROWS; row += 1) page.write(row, 0, `row ${row} of text`);
  window.painter.resize(COLUMNS - 4, ROWS - 2);
  await window.show(page, 'everything');

  window.painter.resize(COLUMNS, ROWS);
  await window.show(page, noRows);

  await using fresh = await open({}, 400);
  await fresh.show(page);
  expect(await window.pixels()).toEqual(await fresh.pixels());
});

test('8,191 columns are drawn as far as the wire has coordinates', async () => {
  await using window = await openPaintedWindow(desktop, { columns: 8_191, rows: 2 }, { font: '5x7' });
  const page = new Page(8_191, 2);
  page.write(0, 0, 'M'.repeat(8_191), { foreground: BOLD });
  page.write(1, 0, '▒'.repeat(8_191));

  await window.show(page, {}, { column: 8_190, row: 0, shape: 'block', isSolid: true });

  expect(window.errors).toEqual([]);
});

test('more than one frame can hold is painted in several small frames', async () => {
  const size = { columns: 200, rows: 50 };
  const page = new Page(size.columns, size.rows);
  const random = randomFrom(7);
  for (let row = 0; row < size.rows; row += 1) {
    for (let column = 0; column < size.columns; column += 1) {
      const look = { foreground: COLOR_RGB | random(0x1_00_00_00), background: COLOR_RGB | random(0x1_00_00_00) };
      page.set(row, column, 0x21 + random(90), look);
    }
  }
  await using window = await openPaintedWindow(desktop, size);
  const frames: number[] = [];
  do {
    // Only the first frame reports changed rows.
    await window.show(page, { rows: new Uint8Array(size.rows).fill(frames.length === 0 ? 1 : 0) });
    frames.push(window.sent.bytes);
  } while (!window.sent.isComplete);
  const inParts = await window.pixels();

  expect(frames.length).toBeGreaterThan(1);
  expect(Math.max(...frames)).toBeLessThan(300_000);
  window.painter.forgetEverything();
  do await window.show(page);
  while (!window.sent.isComplete);
  expect(await window.pixels()).toEqual(inParts);
  expect(window.errors).toEqual([]);
});

/** A screen of cells whose characters follow each other, all of them at once. */
async function sentFor(first: number, count: number): Promise<{ bytes: number; requests: number }> {
  await using window = await open();
  const page = new Page(COLUMNS, ROWS);
  const fill = (shift: number): void => {
    for (let cell = 0; cell < COLUMNS * ROWS; cell += 1) {
      page.set(Math.floor(cell / COLUMNS), cell % COLUMNS, first + ((cell * 7 + shift) % count));
    }
  };
  // Glyphs that are drawn for the first time are made once.
  for (let shift = 0; shift < count; shift += 1) {
    fill(shift);
    await window.show(page);
  }
  expect(window.errors).toEqual([]);
  return { ...window.sent };
}

test('a screen of procedural glyphs takes few requests, and as few of them as text where they have no slants', async () => {
  const text = await sentFor(0x21, 64);
  const cells = COLUMNS * ROWS;
  for (const [first, count] of [
    [0x2800, 256],
    [0x1fb00, 60],
    [0x1cd00, 230],
    [0x2580, 16],
  ] as const) {
    const { requests, bytes } = await sentFor(first, count);
    expect(requests).toBeLessThanOrEqual(text.requests + ROWS * 3);
    expect(bytes).toBeLessThan(cells * 40 + 1_000);
  }
  // A slanted picture is a stipple: one request chooses it, one draws it.
  const wedges = await sentFor(0x1fb3c, 44);
  expect(wedges.requests).toBeLessThanOrEqual(2 * cells + text.requests + 3 * ROWS);
});

/** Numbers that come again from the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Scrolls and writes at random places; returns the damage that an engine would report. */
function disturb(page: Page, random: (below: number) => number): { scrolls: Scroll[]; rows: Uint8Array } {
  const scrolls: Scroll[] = [];
  let marks = Array.from({ length: ROWS }, () => 0);
  for (let count = random(3); count > 0; count -= 1) {
    const top = random(ROWS - 1);
    const bottom = top + 1 + random(ROWS - 1 - top);
    const lines = (random(2) === 0 ? -1 : 1) * (1 + random(3));
    scrolls.push({ top, bottom, lines });
    page.scroll({ top, bottom, lines });
    const before = marks;
    marks = before.map((mark, row) => {
      if (row < top || row > bottom) return mark;
      const from = row + lines;
      return from < top || from > bottom ? 1 : (before[from] ?? 1);
    });
  }
  for (let count = random(6); count > 0; count -= 1) marks[scribble(page, random)] = 1;
  return { scrolls, rows: Uint8Array.from(marks) };
}

/**
 * Writes over the cells at a random place, and returns the row; half of a wide character becomes a blank, as in the
 * engine.
 */
function scribble(page: Page, random: (below: number) => number): number {
  const row = random(ROWS);
  page.write(row, random(COLUMNS), TEXTS[random(TEXTS.length)] ?? '', LOOKS[random(LOOKS.length)]);
  page.blankHalves(row);
  return row;
}
