import type { Run } from '../run.ts';
import type { CreateDrawer, Drawer, DrawerParts, Glyph, Slot } from './drawer.ts';

/** Draws the outline of the cells, for characters that no other drawer can draw. */
class BoxDrawer implements Drawer {
  readonly #parts: DrawerParts;
  readonly #slots: readonly Slot[] = [1, 2].map((cells) => ({
    drawer: this,
    cells,
    takesBlanks: false,
    overhangs: false,
  }));

  constructor(parts: DrawerParts) {
    this.#parts = parts;
  }

  slotFor({ cells }: Glyph): Slot | undefined {
    return this.#slots[cells - 1];
  }

  draw({ style, x, y, width, height, characters: { count, advance } }: Run): void {
    const { graphics } = this.#parts;
    const { foreground } = style;
    graphics.fillPaper(style.background, x, y, width, height);
    for (let index = 0; index < count; index += 1) {
      const left = x + index * advance;
      graphics.fillInk(foreground, left, y, advance - 1, 1);
      graphics.fillInk(foreground, left, y + height - 1, advance - 1, 1);
      graphics.fillInk(foreground, left, y, 1, height);
      // Both sides coincide in a cell of one pixel.
      graphics.fillInk(foreground, Math.max(left, left + advance - 2), y, 1, height);
    }
  }

  release(): void {
    // The drawer has no resources in the X server.
  }
}

export const createBoxDrawer: CreateDrawer = (parts) => new BoxDrawer(parts);
