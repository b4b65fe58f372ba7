import { expect, test } from 'vitest';
import type { FaceVariant } from '../../../src/termprog/fonts/outline/face-source.ts';
import { loadOutlineFonts } from '../../../src/termprog/fonts/outline/outline-fonts.ts';
import { FontRouter } from '../../../src/termprog/fonts/routing/font-router.ts';
import type { Route } from '../../../src/termprog/fonts/routing/route.ts';
import { RoutingRecords } from '../../../src/termprog/fonts/routing/routing-records.ts';
import type { PatternRole, RoutingSettings } from '../../../src/termprog/fonts/routing/routing-settings.ts';

const source = loadOutlineFonts().openSource({ dpi: 96, subpixelOrder: 0, resources: {} });
const EMOJI = '\u{fe0f}';
const TEXT = '\u{fe0e}';
const JOINER = '\u{200d}';

const familyOf = (route: Route): string => (route.kind === 'face' ? route.face.family : 'none');

test('each kind of text finds its face among those of this machine', () => {
  const { route, warnings } = open({
    emoji: 'Noto Color Emoji',
    han: 'Noto Serif CJK JP',
    doublesize: 'Noto Sans CJK JP',
  });
  expect(familyOf(route('a', 1))).toBe('DejaVu Sans Mono');
  expect(familyOf(route('漢', 2))).toBe('Noto Serif CJK JP');
  expect(familyOf(route('ひ', 2))).toBe('Noto Sans CJK JP');
  expect(familyOf(route('😀', 2))).toBe('Noto Color Emoji');
  expect(familyOf(route('❤', 1))).toBe('DejaVu Sans Mono');
  expect(familyOf(route(`❤${EMOJI}`, 2))).toBe('Noto Color Emoji');
  expect(warnings).toEqual([]);
});

test('without names the system has faces for CJK and emoji, in colours where these are wanted', () => {
  const { route } = open({});
  expect(familyOf(route('漢', 2))).toMatch(/CJK/);
  expect(route('😀', 2)).toMatchObject({ face: { family: 'Noto Color Emoji' }, isColor: true });
  expect(route(`❤${EMOJI}`, 2)).toMatchObject({ face: { family: 'Noto Color Emoji' }, isColor: true });
  expect(route(`😀${TEXT}`, 2)).toMatchObject({ isColor: false });
  expect(route('😀', 2, true)).toMatchObject({ face: { family: 'Noto Color Emoji' } });
});

test.each([
  ['a flag', '🇨🇭'],
  ['the flag of a region', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['a skin tone', '👍🏽'],
  ['a family', `👩${JOINER}👩${JOINER}👧`],
  ['a heart on fire', `❤${EMOJI}${JOINER}🔥`],
  ['a keycap', `1${EMOJI}\u{20e3}`],
])('%s is one picture in its cells', (_, text) => {
  const route = open({}).route(text, 2);
  expect(route).toMatchObject({ face: { family: 'Noto Color Emoji' }, isColor: true });
  if (route.kind !== 'face') return;
  expect(route.glyphs.length).toBe(1);
  expect((route.face.advanceOf(route.glyphs[0]?.glyph ?? 0) || 0) * route.scale).toBeLessThanOrEqual(20);
});

test('an emoji as text is a plain one of the system, shrunk to its cell', () => {
  const route = open({}).route(`😀${TEXT}`, 1);
  expect(route).toMatchObject({ isColor: false });
  expect(route.kind === 'face' && route.scale).toBeLessThan(1);
});

test('without colour glyphs no picture serves', () => {
  const { route } = open({ emoji: 'Noto Color Emoji' }, { colorGlyphs: false });
  expect(route('😀', 2)).toMatchObject({ isColor: false });
  expect(familyOf(route('🫠', 2))).toBe('none');
});

test('the decisions can be read', () => {
  const { route, notes } = open({ emoji: 'Noto Color Emoji' });
  route('漢', 2);
  route('\u{10ffff}', 1);
  expect(notes.format().join('\n')).toMatch(
    /U\+6F22 Han, 2 cells at 16 pixels: system, .*CJK.*\.ttc:?\d*\).*; DejaVu Sans Mono has no glyph\n.*U\+10FFFF text, 1 cell at 16 pixels: placeholder box; DejaVu Sans Mono has no glyph/,
  );
});

function open(roles: Partial<Record<PatternRole, string>>, options: Partial<RoutingSettings> = {}) {
  const request = { pattern: 'DejaVu Sans Mono', size: { pixels: 16 } };
  const primary = (variant: FaceVariant) => source.match({ ...request, ...variant, isPrimary: true })?.open();
  const plain = primary({ isBold: false, isItalic: false });
  if (plain === undefined) throw new Error('there is no DejaVu Sans Mono');
  const bold = primary({ isBold: true, isItalic: false });
  const named = (role: PatternRole) => {
    const pattern = roles[role];
    return pattern === undefined ? [] : [{ resource: role, pattern }];
  };
  const warnings: string[] = [];
  const notes = new RoutingRecords();
  const router = new FontRouter({
    source,
    settings: {
      patterns: {
        emoji: named('emoji'),
        han: named('han'),
        wideBold: named('wideBold'),
        doublesize: named('doublesize'),
        bold: named('bold'),
        fallback: named('fallback'),
        emojiText: named('emojiText'),
      },
      emojiPresentation: 'unicode',
      colorGlyphs: true,
      fitEmojiText: true,
      systemFallback: true,
      limitFontsets: 50,
      limitFontWidth: 10,
      ...options,
    },
    primary: ({ isBold }) => (isBold ? bold : plain),
    request,
    cell: { width: plain.metrics.maxAdvance, height: plain.metrics.ascent + plain.metrics.descent },
    diagnostics: { warning: (message) => void warnings.push(message) },
    notes,
  });
  const route = (text: string, cells: 1 | 2, isBold = false): Route => {
    const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    const cluster = { codePoints, cells, isBold, isItalic: false };
    const named = router.route(cluster, 'named');
    return named.kind === 'face' ? named : router.route(cluster, 'system');
  };
  return { router, route, warnings, notes };
}
