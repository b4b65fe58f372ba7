import { expect, test } from 'vitest';
import { openOutlineSlot } from '../../../../src/termprog/fonts/open-outline-slot.ts';
import type { Face, FaceMetrics } from '../../../../src/termprog/fonts/outline/face.ts';
import type { FaceCandidate } from '../../../../src/termprog/fonts/outline/face-source.ts';
import type { RoutingSettings } from '../../../../src/termprog/fonts/routing/routing-settings.ts';
import type { RenderExtension } from '../../../../src/termprog/x11/render-extension.ts';

/** A slot whose face has these measures and no glyphs, and the lines about it. */
function open(measures: Partial<FaceMetrics>) {
  const warnings: string[] = [];
  const closed: string[] = [];
  const metrics = { ascent: 9, descent: 3, height: 12, maxAdvance: 7, ...measures };
  const face = { family: 'Made', pixelSize: 12, metrics, glyphOf: () => 0, close: () => void closed.push('Made') };
  const candidate = { family: 'Made', isNamedFamily: true, open: () => face as unknown as Face };
  const slot = openOutlineSlot({
    source: { match: () => candidate as FaceCandidate, candidates: () => [] },
    render: {} as RenderExtension,
    request: { pattern: 'Made', size: { pixels: 12 } },
    instead: 'bitmap fonts are used instead',
    settings: {} as RoutingSettings,
    diagnostics: { warning: (line) => void warnings.push(line) },
  });
  return { slot, warnings, closed };
}

test('the cell of a slot is that of its face', () => {
  expect(open({})).toMatchObject({ slot: { cell: { width: 7, height: 12 }, ascent: 9, descent: 3 }, warnings: [] });
});

test.each([
  ['upside down', { ascent: -9, descent: -3 }, '7x-12'],
  ['without a height', { ascent: 0, descent: 0 }, '7x0'],
  ['of absurd heights', { ascent: 1_048_544, descent: 1_048_576 }, '7x2097120'],
  ['of absurd widths', { maxAdvance: 32_768 }, '32768x12'],
])('a face %s is left to bitmap fonts, which one line says', (_, measures, size) => {
  expect(open(measures)).toEqual({
    slot: undefined,
    warnings: [`resource vt100.faceName: a cell of Made has ${size} pixels; bitmap fonts are used instead`],
    closed: ['Made'],
  });
});
