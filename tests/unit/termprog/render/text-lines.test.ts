import { expect, test } from 'vitest';
import { lineMetricsOf } from '../../../../src/termprog/render/text-lines.ts';

const FIXED = { ascent: 11, descent: 2, cellWidth: 6 };
/** Metrics of text of 360 points. */
const HUGE = { ascent: 400, descent: 100, cellWidth: 250 };
const LARGE = { ascent: 32, descent: 8, cellWidth: 20 };

test('lines of small text are a pixel thick, and lie where the reference terminal draws them', () => {
  expect(lineMetricsOf(FIXED)).toMatchObject({ thickness: 1, underline: 12, strike: 7 });
  expect(lineMetricsOf({ ascent: 6, descent: 1, cellWidth: 5 })).toMatchObject({ underline: 6, strike: 4 });
});

test('lines of large text are thicker', () => {
  expect(lineMetricsOf(LARGE)).toMatchObject({ thickness: 2, underline: 34, double: [34, 38], strike: 19 });
});

test('there is a gap between double lines, also where there is little room', () => {
  expect(lineMetricsOf(FIXED).double).toEqual([10, 12]);
});

for (const metrics of [
  FIXED,
  LARGE,
  { ascent: 1, descent: 0, cellWidth: 1 },
  { ascent: 2, descent: 1, cellWidth: 2 },
  { ascent: 70, descent: 30, cellWidth: 50 },
  HUGE,
]) {
  test(`all lines stay inside of a cell of ${JSON.stringify(metrics)}`, () => {
    const { thickness, underline, double, strike, curl } = lineMetricsOf(metrics);
    const height = metrics.ascent + metrics.descent;
    for (const top of [underline, ...double, strike, ...curl]) {
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top + thickness).toBeLessThanOrEqual(height);
    }
    expect(curl).toHaveLength(metrics.cellWidth);
  });
}

test('a curl has the same height at both ends of a cell, and no gaps', () => {
  for (const metrics of [FIXED, LARGE, HUGE]) {
    const { curl, thickness } = lineMetricsOf(metrics);
    expect(curl.at(0)).toBe(curl.at(-1));
    // The curl is below the letters.
    expect(Math.min(...curl)).toBeGreaterThanOrEqual(metrics.ascent - thickness);
    for (let column = 1; column < curl.length; column += 1) {
      expect(Math.abs((curl[column] ?? 0) - (curl[column - 1] ?? 0))).toBeLessThanOrEqual(thickness);
    }
    expect(new Set(curl).size).toBeGreaterThan(1);
  }
});
