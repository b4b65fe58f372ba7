import type { Rectangle } from '../rectangle.ts';
import type { Canvas } from './picture.ts';

/** Shades by the number of lit details among four in a square; `inverse` lights the two that `medium` leaves dark. */
export type Shade = 'light' | 'medium' | 'inverse' | 'dark';

const IS_LIT: Readonly<Record<Shade, (column: number, row: number) => boolean>> = {
  light: (column, row) => column % 2 === 0 && row % 2 === 0,
  medium: (column, row) => (column + row) % 2 === 0,
  inverse: (column, row) => (column + row) % 2 === 1,
  dark: (column, row) => column % 2 === 1 || row % 2 === 1,
};

/** Returns the lit details of a shade inside rectangles. The pattern starts in the corner of the cell. */
export function shadeRectangles(shade: Shade, areas: readonly Rectangle[], { grain }: Canvas): Rectangle[] {
  const isLit = IS_LIT[shade];
  const details: Rectangle[] = [];
  for (const { x, y, width, height } of areas) {
    for (let row = Math.floor(y / grain); row * grain < y + height; row += 1) {
      const top = Math.max(y, row * grain);
      const down = Math.min(y + height, (row + 1) * grain) - top;
      let last: Rectangle | undefined;
      for (let column = Math.floor(x / grain); column * grain < x + width; column += 1) {
        if (!isLit(column, row)) {
          last = undefined;
          continue;
        }
        const left = Math.max(x, column * grain);
        const across = Math.min(x + width, (column + 1) * grain) - left;
        if (last !== undefined) {
          last.width += across;
          continue;
        }
        last = { x: left, y: top, width: across, height: down };
        details.push(last);
      }
    }
  }
  return details;
}
