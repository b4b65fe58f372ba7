/** Position of the view in history and screen, in lines. */
export interface ScrollPosition {
  /** Lines above the live screen. */
  historyLines: number;
  /** Lines between the view and the live screen. */
  linesAbove: number;
  /** Rows of the view. */
  rows: number;
}

/** Rows of pixels of the scrollbar, from its top; `bottom` is excluded. */
export interface PixelSpan {
  top: number;
  bottom: number;
}

/** A part of the scrollbar that must be redrawn. */
export interface ThumbChange extends PixelSpan {
  isThumb: boolean;
}

/**
 * Returns the pixels of the thumb. Numbers have the reference's precision, so that they round alike.
 * @param length of the scrollbar in pixels
 * @param least pixels; a thumb that would be shorter may extend beyond the end
 */
export function thumbOf({ historyLines, linesAbove, rows }: ScrollPosition, length: number, least: number): PixelSpan {
  const total = historyLines + rows;
  const pixelsOf = (lines: number): number => Math.trunc(Math.fround(length * Math.fround(lines / total)));
  const top = pixelsOf(historyLines - linesAbove);
  return { top, bottom: top + Math.max(pixelsOf(rows), least) };
}

/**
 * Returns the parts to redraw when the thumb moves; the first and the last row of pixels never belong to it.
 * @param before undefined when no thumb is drawn
 */
export function thumbChanges(before: PixelSpan | undefined, now: PixelSpan, length: number): ThumbChange[] {
  const { top: oldTop, bottom: oldBottom } = before ?? { top: now.bottom, bottom: now.bottom };
  const { top, bottom } = now;
  const changes: ThumbChange[] = [
    { top, bottom: Math.min(bottom, oldTop), isThumb: true },
    { top: oldTop, bottom: Math.min(top, oldBottom), isThumb: false },
    { top: Math.max(bottom, oldTop), bottom: oldBottom, isThumb: false },
    { top: Math.max(top, oldBottom), bottom, isThumb: true },
  ];
  return changes
    .map((change) => ({ ...change, top: Math.max(1, change.top), bottom: Math.min(change.bottom, length - 1) }))
    .filter((change) => change.top < change.bottom);
}
