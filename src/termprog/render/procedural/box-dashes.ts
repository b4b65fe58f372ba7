import type { Rectangle } from '../rectangle.ts';
import { crossOf } from './bands.ts';
import { between, type Canvas } from './picture.ts';

export interface Dashes {
  /** Dashes per cell. */
  count: number;
  isVertical: boolean;
  isHeavy: boolean;
}

/** A gap takes this fraction of a dash and its gap. */
const GAP_PART = 3;

/** Draws a dashed line with `count` dashes, or as many as the cell has room for; each is followed by its gap. */
export function drawDashes({ count, isVertical, isHeavy }: Dashes, canvas: Canvas): Rectangle[] {
  const { x, y } = crossOf(canvas);
  const { size } = isVertical ? y : x;
  const { light, heavy } = isVertical ? x : y;
  const { start, end } = isHeavy ? heavy : light;
  const shown = Math.max(1, Math.min(count, Math.floor(size / 2)));
  return Array.from({ length: shown }, (_, index) => {
    const from = Math.floor((index * size) / shown);
    const next = Math.floor(((index + 1) * size) / shown);
    const to = next - Math.min(next - from - 1, Math.max(1, Math.round((next - from) / GAP_PART)));
    return isVertical ? between(start, from, end, to) : between(from, start, to, end);
  });
}
