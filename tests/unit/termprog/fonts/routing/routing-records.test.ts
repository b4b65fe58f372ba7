import { expect, test } from 'vitest';
import { RoutingRecords } from '../../../../../src/termprog/fonts/routing/routing-records.ts';
import { routerOf } from './small-fonts.ts';

const FONTS = [
  { name: 'Primary', has: 'ab' },
  { name: 'Color', has: '😀👩🔥', isColor: true, advance: 40 },
  { name: 'Wide', has: 'x', advance: 20 },
  { name: 'Other', has: 'x' },
];

function routed(): { notes: RoutingRecords; routes: ReturnType<typeof routerOf> } {
  const notes = new RoutingRecords();
  return {
    notes,
    routes: routerOf({ fonts: FONTS, roles: { emoji: ['Color'], fallback: ['Wide'] }, system: ['Other'], notes }),
  };
}

test('a record reports the face, and why those before it did not serve', () => {
  const { notes, routes } = routed();
  routes.faceFor('x');
  expect(notes.format()).toEqual([
    'decisions about fonts: 1',
    '  U+0078 text, 1 cell at 16 pixels: system, Other  (/fonts/Other); Primary has no glyph; fallback "Wide" is too wide: 20.0 pixels for 10',
  ]);
});

test('a record reports colours, scale, style and the whole cluster by its numbers', () => {
  const { notes, routes } = routed();
  routes.faceFor('👩\u{200d}🔥', 2, { isBold: true });
  expect(notes.format()[1]).toBe(
    '  U+1F469 U+200D U+1F525 emoji bold, 2 cells at 16 pixels: emoji, Color  (/fonts/Color), in colours, scaled by 0.500',
  );
});

test('characters in no face are boxes, or drawn from the cell when the system was not asked', () => {
  const { notes, routes } = routed();
  routes.faceFor('漢', 2);
  routes.named('─');
  expect(notes.format().slice(1)).toEqual([
    '  U+2500 text, 1 cell at 16 pixels: from the geometry of the cell; Primary has no glyph; fallback "Wide" has no glyph',
    '  U+6F22 Han, 2 cells at 16 pixels: placeholder box; Primary has no glyph; fallback "Wide" has no glyph',
  ]);
});

test('each cluster is reported once, in the order of the characters and not of the text', () => {
  const { notes, routes } = routed();
  for (const text of ['b', 'a', 'b']) routes.faceFor(text);
  expect(notes.format().map((line) => line.trim().split(' ')[0])).toEqual(['decisions', 'U+0061', 'U+0062']);
});

test('a thousand records are kept, and what was forgotten is counted', () => {
  const { notes, routes } = routed();
  for (let code = 0; code < 2_000; code += 1) routes.faceFor(String.fromCodePoint(0x4e00 + code), 2);
  const lines = notes.format();
  expect(lines[0]).toBe('decisions about fonts: 1024, and 976 older ones that were forgotten');
  expect(lines.length).toBe(1_025);
  expect(lines[1]).toContain(`U+${(0x4e00 + 976).toString(16).toUpperCase()} `);
});

test('a record reports a limited number of refusals', () => {
  const notes = new RoutingRecords();
  const names = Array.from({ length: 40 }, (_, index) => `Wide ${index}`);
  const fonts = names.map((name) => ({ name, has: 'x', advance: 20 }));
  routerOf({ fonts, roles: { fallback: names }, notes }).faceFor('x');
  expect(notes.format()[1]?.split('; ').length).toBe(25);
});
