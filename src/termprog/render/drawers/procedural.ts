import type { Characters } from '../graphics.ts';
import { PictureCache } from '../procedural/picture-cache.ts';
import { isProcedural } from '../procedural/pictures.ts';
import type { Run } from '../run.ts';
import type { CreateDrawer, Drawer, DrawerParts, Glyph, Slot } from './drawer.ts';

interface ProceduralSlot extends Slot {
  pictures: PictureCache;
}

/** Precedence of procedural glyphs: before every font, or after the faces that the user named. */
export type Turn = 'first' | 'fallback';

/** Whether procedural glyphs have this precedence. */
export function haveTurn({ forcesProcedural, fonts }: DrawerParts, turn: Turn): boolean {
  return (forcesProcedural || fonts.kind === 'bitmap') === (turn === 'first');
}

/**
 * Draws characters from the cell's geometry, so that neighbours join. They take precedence over bitmap fonts, and over
 * outline fonts if forced.
 * @spec termprog#terminal-widget-resources-termvt100 forceBoxChars
 */
class ProceduralDrawer implements Drawer {
  readonly #parts: DrawerParts;
  readonly #isItsTurn: boolean;
  readonly #normal: ProceduralSlot;
  readonly #bold: ProceduralSlot;
  /** Number of runs drawn so far. */
  #runs = 0;

  constructor(parts: DrawerParts, turn: Turn) {
    this.#parts = parts;
    this.#isItsTurn = haveTurn(parts, turn);
    this.#normal = this.#createSlot(false);
    this.#bold = this.#createSlot(true);
  }

  #createSlot(isBold: boolean): ProceduralSlot {
    const pictures = new PictureCache({ ...this.#parts, isBold });
    return { drawer: this, cells: 1, takesBlanks: true, overhangs: false, pictures };
  }

  slotFor({ codePoint, cells, isBold }: Glyph): Slot | undefined {
    if (!this.#isItsTurn || cells !== 1 || !isProcedural(codePoint)) return undefined;
    return isBold ? this.#bold : this.#normal;
  }

  draw(run: Run, slot: Slot): void {
    const { pictures } = slot as ProceduralSlot;
    const { graphics } = this.#parts;
    const { style, x, y, width, height, characters } = run;
    const { codes, count, advance } = characters;
    this.#runs += 1;
    if (hasPlain(pictures, characters)) graphics.fillPaper(style.background, x, y, width, height);
    // Rectangles first: those of all cells join in one request.
    for (let index = 0; index < count; index += 1) {
      const picture = pictures.get(codes[index] ?? 0);
      if (picture === undefined || picture.stipple !== undefined) continue;
      const left = x + index * advance;
      for (const rectangle of picture.rectangles) {
        graphics.fillInk(style.foreground, left + rectangle.x, y + rectangle.y, rectangle.width, rectangle.height);
      }
    }
    for (let index = 0; index < count; index += 1) {
      const picture = pictures.get(codes[index] ?? 0);
      if (picture?.stipple === undefined || picture.drawnIn === this.#runs) continue;
      picture.drawnIn = this.#runs;
      this.#drawEach(run, index, picture.stipple);
    }
  }

  /** Draws all cells of one character from the first one on, so that the server changes its stipple once. */
  #drawEach({ style, x, y, height, characters: { codes, count, advance } }: Run, first: number, stipple: number): void {
    for (let index = first; index < count; index += 1) {
      if (codes[index] !== codes[first]) continue;
      this.#parts.graphics.fillStippled(style, stipple, x + index * advance, y, advance, height);
    }
  }

  release(): void {
    this.#normal.pictures.release();
    this.#bold.pictures.release();
  }
}

/** Whether some cell needs a background; a stipple includes its own. */
function hasPlain(pictures: PictureCache, { codes, count }: Characters): boolean {
  for (let index = 0; index < count; index += 1) {
    if (pictures.get(codes[index] ?? 0)?.stipple === undefined) return true;
  }
  return false;
}

export const createFirstProceduralDrawer: CreateDrawer = (parts) => new ProceduralDrawer(parts, 'first');
export const createFallbackProceduralDrawer: CreateDrawer = (parts) => new ProceduralDrawer(parts, 'fallback');
