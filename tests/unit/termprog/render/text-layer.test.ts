import { expect, test } from 'vitest';
import type { RenderRequests } from '../../../../src/termprog/render/render-requests.ts';
import type { SolidSources } from '../../../../src/termprog/render/solid-sources.ts';
import { TextLayer } from '../../../../src/termprog/render/text-layer.ts';

const BLANK = 0x20;

interface Item {
  x: number;
  y: number;
  ids: number[];
}

interface Sent {
  color: number;
  items: Item[];
}

test('rows of one colour are one request, with each item in its place', () => {
  const { layer, sent, add } = layerWith(10);
  add(0xff, 2, 12, 65, 66, 67);
  add(0xee, 32, 12, 68);
  add(0xff, 12, 4, 69);
  layer.flush();

  expect(sent).toEqual([
    {
      color: 0xff,
      items: [
        { x: 2, y: 12, ids: [65, 66, 67] },
        { x: 12, y: 4, ids: [69] },
      ],
    },
    { color: 0xee, items: [{ x: 32, y: 12, ids: [68] }] },
  ]);
  layer.flush();
  expect(sent).toHaveLength(2);
});

test('blanks are not drawn', () => {
  const { layer, sent, add } = layerWith(10);
  add(1, 0, 5, BLANK, 65, BLANK, BLANK, 66, BLANK);
  layer.flush();

  expect(sent[0]?.items).toEqual([
    { x: 10, y: 5, ids: [65] },
    { x: 40, y: 5, ids: [66] },
  ]);
});

test('words are one item, unless more blanks lie between them than a new item takes', () => {
  const { layer, sent, add } = layerWith(10, 10);
  add(1, 0, 5, BLANK, 65, BLANK, 66, ...Array<number>(4).fill(BLANK), 67, ...Array<number>(5).fill(BLANK), 68, BLANK);
  layer.flush();

  expect(sent[0]?.items).toEqual([
    { x: 10, y: 5, ids: [65, BLANK, 66, BLANK, BLANK, BLANK, BLANK, 67] },
    { x: 140, y: 5, ids: [68] },
  ]);
});

test('blanks stand in no item of glyphs that advance further', () => {
  const { layer, sent, add } = layerWith(20, 10);
  add(1, 0, 5, 65, BLANK, 66);
  layer.flush();

  expect(sent[0]?.items).toEqual([
    { x: 0, y: 5, ids: [65] },
    { x: 40, y: 5, ids: [66] },
  ]);
});

test('a frame has no colours and no text of the one before', () => {
  const { layer, sent, add } = layerWith(10, 10);
  for (let color = 0; color < 20; color += 1) add(color, 0, 5, ...Array<number>(100).fill(65));
  layer.flush();
  sent.length = 0;
  for (const color of [30, 31]) add(color, 20, 7, 66);
  layer.flush();

  expect(sent).toEqual([30, 31].map((color) => ({ color, items: [{ x: 20, y: 7, ids: [66] }] })));
});

test('a row longer than an item is several, without a gap', () => {
  const { layer, sent, add } = layerWith(2);
  add(1, 7, 5, ...Array<number>(600).fill(65));
  layer.flush();

  expect(sent[0]?.items.map(({ x, ids }) => [x, ids.length])).toEqual([
    [7, 254],
    [7 + 2 * 254, 254],
    [7 + 4 * 254, 92],
  ]);
});

test('much text of a colour, and many colours, are not kept', () => {
  const { layer, sent, add } = layerWith(1);
  for (let row = 0; row < 40; row += 1) add(1, 0, row, ...Array<number>(250).fill(65));
  expect(sent.length).toBeGreaterThan(0);
  layer.flush();
  sent.length = 0;
  for (let color = 0; color < 600; color += 1) add(color, color, 0, 65);
  expect(sent.length).toBeGreaterThan(0);
  layer.flush();

  expect(sent.map(({ color }) => color).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 600 }, (_, color) => color),
  );
});

/** Reads items as a server does: each is moved from where the pen is after the one before. */
function read(words: Uint32Array, length: number, advance: number): Item[] {
  const items: Item[] = [];
  let [x, y] = [0, 0];
  for (let at = 0; at < length; ) {
    const count = words[at] ?? 0;
    const move = words[at + 1] ?? 0;
    x += (move << 16) >> 16;
    y += move >> 16;
    items.push({ x, y, ids: [...words.subarray(at + 2, at + 2 + count)] });
    x += count * advance;
    at += 2 + count;
  }
  return items;
}

/** @param blankAdvance pixels that the blank of the set advances; without it blanks stand in no item */
function layerWith(advance: number, blankAdvance = 0) {
  const sent: Sent[] = [];
  const requests = {
    compositeGlyphs: ({ source: color }: { source: number }, words: Uint32Array, length: number) =>
      sent.push({ color, items: read(words, length, advance) }),
  } as unknown as RenderRequests;
  const sources = { of: (color: number) => color } as unknown as SolidSources;
  const layer = new TextLayer(requests, sources, {
    picture: 1,
    clipped: 2,
    prepare: () => {},
    maskFormatOf: () => 9,
    blankAdvance,
  });
  const add = (color: number, x: number, baseline: number, ...ids: number[]): void =>
    layer.add({ glyphSet: 5, color, x, baseline, ids: Uint32Array.from(ids), count: ids.length, advance });
  return { layer, sent, add };
}
