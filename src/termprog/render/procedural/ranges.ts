import { drawBlock } from './block-elements.ts';
import { drawBox } from './box-drawing.ts';
import { drawBraille } from './braille.ts';
import { drawCornerTriangle } from './corner-triangles.ts';
import { drawEighths, drawMiddleBlock } from './eighths.ts';
import { drawFill } from './fills.ts';
import { drawSlantedLines, drawStruckLine } from './legacy-lines.ts';
import { drawOctant, drawSextant } from './mosaics.ts';
import type { DrawCharacter } from './picture.ts';
import { drawPowerline } from './powerline.ts';
import { drawScanLine } from './scan-lines.ts';
import { drawSixteenths, drawThirds } from './sixteenths.ts';
import { drawQuarters, drawWedge } from './wedges.ts';

export interface GlyphRange {
  first: number;
  last: number;
  draw: DrawCharacter;
}

/** All ranges of characters that are drawn from the cell's geometry, in order of code points. */
export const RANGES: readonly GlyphRange[] = [
  { first: 0x23ba, last: 0x23bd, draw: drawScanLine },
  { first: 0x2500, last: 0x257f, draw: drawBox },
  { first: 0x2580, last: 0x259f, draw: drawBlock },
  { first: 0x25e2, last: 0x25e5, draw: drawCornerTriangle },
  { first: 0x25f8, last: 0x25ff, draw: drawCornerTriangle },
  { first: 0x2800, last: 0x28ff, draw: drawBraille },
  { first: 0xe0b0, last: 0xe0bf, draw: drawPowerline },
  { first: 0x1cd00, last: 0x1cde5, draw: drawOctant },
  { first: 0x1ce90, last: 0x1ceaf, draw: drawSixteenths },
  { first: 0x1fb00, last: 0x1fb3b, draw: drawSextant },
  { first: 0x1fb3c, last: 0x1fb67, draw: drawWedge },
  { first: 0x1fb68, last: 0x1fb6f, draw: drawQuarters },
  { first: 0x1fb70, last: 0x1fb8b, draw: drawEighths },
  { first: 0x1fb8c, last: 0x1fb99, draw: drawFill },
  { first: 0x1fb9a, last: 0x1fb9b, draw: drawQuarters },
  { first: 0x1fb9c, last: 0x1fb9f, draw: drawFill },
  { first: 0x1fba0, last: 0x1fbae, draw: drawSlantedLines },
  { first: 0x1fbaf, last: 0x1fbaf, draw: drawStruckLine },
  { first: 0x1fbce, last: 0x1fbcf, draw: drawThirds },
  { first: 0x1fbd0, last: 0x1fbdf, draw: drawSlantedLines },
  { first: 0x1fbe4, last: 0x1fbe7, draw: drawMiddleBlock },
];
