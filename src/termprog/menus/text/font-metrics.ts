import { type FontReply, indexOf } from '../../fonts/font-reply.ts';

/** The metrics of a font that labels need. */
export interface FontMetrics {
  /** Ascent of the tallest characters, in pixels: the toolkit's menus use it instead of the font's own. */
  ascent: number;
  descent: number;
  /** Width in pixels of a character by its code in the font; undefined when the font lacks it. */
  widthOf(code: number): number | undefined;
}

export function fontMetricsOf({ maxBounds, area, count, widthAt, isThere }: FontReply): FontMetrics {
  return {
    ascent: maxBounds.ascent,
    descent: maxBounds.descent,
    widthOf: (code) => {
      const index = area && indexOf(area, code);
      if (index === undefined) return undefined;
      if (count === 0) return maxBounds.width;
      return isThere(index) ? widthAt(index) : undefined;
    },
  };
}
