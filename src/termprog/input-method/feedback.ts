import { BOLD, INVERSE, UNDERLINE, UNDERLINE_SHIFT } from '../engine/cell.ts';
import type { PacketReader } from './packet.ts';

/** Bits of a feedback, which defines the look of a composed character. X Input Method Protocol, 4.8.4 */
const FEEDBACK = { reverse: 1, underline: 2, highlight: 4, primary: 8 } as const;

/** Bits of a cell's words. */
export interface ComposedLook {
  foreground: number;
  background: number;
}

const UNDERLINED = UNDERLINE.single << UNDERLINE_SHIFT;

/** Look of text without a feedback. */
export const PLAIN_LOOK: ComposedLook = { foreground: 0, background: UNDERLINED };

/** Returns the look of a feedback: highlighted and primary text is bold; the other bits have no look of their own. */
function lookOf(feedback: number): ComposedLook {
  const isReverse = (feedback & FEEDBACK.reverse) !== 0;
  const isBold = (feedback & (FEEDBACK.highlight | FEEDBACK.primary)) !== 0;
  const isUnderlined = (feedback & FEEDBACK.underline) !== 0;
  return {
    foreground: (isReverse ? INVERSE : 0) | (isBold ? BOLD : 0),
    background: isUnderlined ? UNDERLINED : 0,
  };
}

/** Reads the looks of the drawn characters, one by one; servers may omit the list. */
export function looksIn(reader: PacketReader): ComposedLook[] {
  if (reader.left < 4) return [];
  const length = reader.card16();
  reader.card16();
  const list = reader.part(Math.min(length, reader.left));
  return Array.from({ length: Math.floor(list.left / 4) }, () => lookOf(list.card32()));
}
