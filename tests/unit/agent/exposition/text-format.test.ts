import fc from 'fast-check';
import { Gauge, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { counter, gauge } from '../../../../src/agent/exposition/family.ts';
import { escapeLabelValue, formatFamilies, formatValue } from '../../../../src/agent/exposition/text-format.ts';

test('a family is its HELP, its TYPE and its samples', () => {
  const family = counter('a_total', 'Some\nhelp \\ text.', [
    { labels: { device: 'sda', mode: 'r' }, value: 1 },
    { labels: {}, value: 2.5 },
  ]);

  expect(formatFamilies([family, gauge('b', 'B.', 3)])).toBe(
    [
      '# HELP a_total Some\\nhelp \\\\ text.',
      '# TYPE a_total counter',
      'a_total{device="sda",mode="r"} 1',
      'a_total 2.5',
      '# HELP b B.',
      '# TYPE b gauge',
      'b 3',
      '',
    ].join('\n'),
  );
});

test('a family without samples is not written', () => {
  expect(formatFamilies([gauge('a', 'A.', [])])).toBe('');
});

test('values are spelled as the format wants them', () => {
  const values = [0, 1e21, 1e-7, 0.1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

  expect(values.map(formatValue)).toEqual(['0', '1e+21', '1e-7', '0.1', 'NaN', '+Inf', '-Inf']);
});

test('a label value that is not well-formed becomes text a scraper takes', () => {
  expect(escapeLabelValue('a\ud800b')).toBe('a\ufffdb');
});

test('any label value and number is written as the reference client writes it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true }), async (label, value) => {
      const registry = new Registry();
      new Gauge({ name: 'a', help: 'A.', labelNames: ['x'], registers: [registry] }).set({ x: label }, value);

      const reference = (await registry.metrics()).trimEnd();

      expect(formatFamilies([gauge('a', 'A.', [{ labels: { x: label }, value }])]).trimEnd()).toBe(reference);
    }),
    { numRuns: 300 },
  );
});
