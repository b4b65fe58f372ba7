import { type FontReply, indexOf } from '../../fonts/font-reply.ts';

/** What is needed of a font for labels. */
export interface FontMetrics {
  /** Of the tallest characters, in pixels: the toolkit's menus go by these, not by those of the font. */
  ascent: number;
  descent: number;
  /** Of a character by its code in the font, in pixels; undefined when it has none. */
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
