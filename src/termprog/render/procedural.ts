import { drawBlock } from './block-elements.ts';
import { drawBox } from './box-drawing.ts';
import type { CellSize, Rectangle } from './rectangle.ts';

/** Positions of the horizontal scan lines U+23BA to U+23BD in the cell, in ninths. */
const SCAN_LINES: Readonly<Record<number, number>> = { 9146: 0, 9147: 2, 9148: 6, 9149: 8 };

/** Characters drawn from the cell's geometry, so that neighbours join; each is computed once. @spec termprog#terminal-widget-resources-termvt100 forceBoxChars */
export class ProceduralGlyphs {
  readonly #cell: CellSize;
  readonly #drawn = new Map<number, readonly Rectangle[] | undefined>();

  constructor(cell: CellSize) {
    this.#cell = cell;
  }

  /** Undefined for a character that fonts draw. */
  glyph(codePoint: number): readonly Rectangle[] | undefined {
    if (codePoint < 0x23ba || codePoint > 0x259f) return undefined;
    if (!this.#drawn.has(codePoint)) this.#drawn.set(codePoint, drawGlyph(codePoint, this.#cell));
    return this.#drawn.get(codePoint);
  }

  /** Stands for what no font has: the outline of the cells it takes. */
  missing(cells: number): readonly Rectangle[] {
    const width = this.#cell.width * cells;
    const { height } = this.#cell;
    return [
      { x: 0, y: 0, width: width - 1, height: 1 },
      { x: 0, y: height - 1, width: width - 1, height: 1 },
      { x: 0, y: 0, width: 1, height },
      { x: width - 2, y: 0, width: 1, height },
    ];
  }
}

function drawGlyph(codePoint: number, cell: CellSize): readonly Rectangle[] | undefined {
  const line = SCAN_LINES[codePoint];
  if (line !== undefined) {
    return [{ x: 0, y: Math.round((line * (cell.height - 1)) / 8), width: cell.width, height: 1 }];
  }
  return drawBox(codePoint, cell) ?? drawBlock(codePoint, cell);
}
