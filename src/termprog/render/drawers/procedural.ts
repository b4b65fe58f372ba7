import { drawBlock } from '../block-elements.ts';
import { drawBox } from '../box-drawing.ts';
import type { Characters } from '../graphics.ts';
import type { CellSize, Rectangle } from '../rectangle.ts';
import type { Run } from '../run.ts';
import type { CreateDrawer, Drawer, DrawerParts, Glyph, Slot } from './drawer.ts';

/** Positions of the horizontal scan lines U+23BA to U+23BD in the cell, in ninths. */
const SCAN_LINES: Readonly<Record<number, number>> = { 9146: 0, 9147: 2, 9148: 6, 9149: 8 };

const FIRST = 0x23ba;
const LAST = 0x259f;

/** A picture of more rectangles becomes a stipple: made once, then drawn in many cells by one request. */
const RECTANGLES_MAX = 6;

/** A glyph that was drawn before. */
interface Picture {
  rectangles: readonly Rectangle[];
  /** The pixmap of a stipple. */
  stipple: number | undefined;
}

/** Characters drawn from the cell's geometry, so that neighbours join. @spec termprog#terminal-widget-resources-termvt100 forceBoxChars */
class ProceduralDrawer implements Drawer {
  readonly #parts: DrawerParts;
  readonly #pictures: (Picture | undefined)[] = Array.from({ length: LAST - FIRST + 1 });
  readonly #slot: Slot = { drawer: this, cells: 1, takesBlanks: true, overhangs: false };

  constructor(parts: DrawerParts) {
    this.#parts = parts;
  }

  slotFor({ codePoint, cells }: Glyph): Slot | undefined {
    if (cells !== 1 || codePoint < FIRST || codePoint > LAST) return undefined;
    return this.#pictureOf(codePoint) === undefined ? undefined : this.#slot;
  }

  draw(run: Run): void {
    const { graphics } = this.#parts;
    const { style, x, y, height, characters } = run;
    if (this.#hasPlain(characters)) graphics.fillPaper(style.background, x, y, run.width, height);
    const { codes, count, advance } = characters;
    for (let index = 0; index < count; index += 1) {
      const picture = this.#pictureOf(codes[index] ?? 0);
      if (picture === undefined) continue;
      const left = x + index * advance;
      if (picture.stipple !== undefined) {
        graphics.fillStippled(style, picture.stipple, left, y, advance, height);
        continue;
      }
      for (const rectangle of picture.rectangles) {
        graphics.fillInk(style.foreground, left + rectangle.x, y + rectangle.y, rectangle.width, rectangle.height);
      }
    }
  }

  release(): void {
    for (const picture of this.#pictures) {
      if (picture?.stipple !== undefined) this.#parts.graphics.freeStipple(picture.stipple);
    }
    this.#pictures.fill(undefined);
  }

  /** Whether some cell needs a background: a stipple has its own. */
  #hasPlain({ codes, count }: Characters): boolean {
    for (let index = 0; index < count; index += 1) {
      if (this.#pictureOf(codes[index] ?? 0)?.stipple === undefined) return true;
    }
    return false;
  }

  #pictureOf(codePoint: number): Picture | undefined {
    const known = this.#pictures[codePoint - FIRST];
    if (known !== undefined || codePoint < FIRST || codePoint > LAST) return known;
    const { cell, graphics } = this.#parts;
    const rectangles = shapeOf(codePoint, cell);
    if (rectangles === undefined) return undefined;
    const isComplex = rectangles.length > RECTANGLES_MAX;
    const stipple = isComplex ? graphics.createStipple(cell.width, cell.height, rectangles) : undefined;
    const picture = { rectangles, stipple };
    this.#pictures[codePoint - FIRST] = picture;
    return picture;
  }
}

/** The rectangles of a character; undefined for characters that this drawer does not draw. */
export function shapeOf(codePoint: number, cell: CellSize): readonly Rectangle[] | undefined {
  const line = SCAN_LINES[codePoint];
  if (line !== undefined) {
    return [{ x: 0, y: Math.round((line * (cell.height - 1)) / 8), width: cell.width, height: 1 }];
  }
  return drawBox(codePoint, cell) ?? drawBlock(codePoint, cell);
}

export const createProceduralDrawer: CreateDrawer = (parts) => new ProceduralDrawer(parts);
