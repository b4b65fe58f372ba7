import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PixelSpan, thumbChanges, thumbOf } from '../../../../src/termprog/scrollbar/thumb.ts';

test('without a history the thumb fills the scrollbar', () => {
  expect(thumbOf({ historyLines: 0, linesAbove: 0, rows: 24 }, 316, 7)).toEqual({ top: 0, bottom: 316 });
});

test('it stands where the view is, and is never shorter than the least', () => {
  expect(thumbOf({ historyLines: 72, linesAbove: 0, rows: 24 }, 320, 7)).toEqual({ top: 240, bottom: 320 });
  expect(thumbOf({ historyLines: 72, linesAbove: 72, rows: 24 }, 320, 7)).toEqual({ top: 0, bottom: 80 });
  expect(thumbOf({ historyLines: 1_000_000, linesAbove: 0, rows: 24 }, 320, 7)).toEqual({ top: 319, bottom: 326 });
});

test('a thumb that stays needs no drawing', () => {
  expect(thumbChanges({ top: 10, bottom: 20 }, { top: 10, bottom: 20 }, 100)).toEqual([]);
});

test('only the thumb stays of what is drawn', () => {
  const span = fc.tuple(fc.nat(120), fc.nat(60)).map(([top, length]) => ({ top, bottom: top + length }));
  const drawn = ({ top, bottom }: PixelSpan, row: number): boolean =>
    row >= Math.max(1, top) && row < Math.min(bottom, 99);
  fc.assert(
    fc.property(fc.option(span, { nil: undefined }), span, (before, now) => {
      const rows = Array.from({ length: 100 }, (_, row) => before !== undefined && drawn(before, row));
      for (const { top, bottom, isThumb } of thumbChanges(before, now, 100)) rows.fill(isThumb, top, bottom);
      expect(rows).toEqual(Array.from({ length: 100 }, (_, row) => drawn(now, row)));
    }),
  );
});
