import type { ScreenFacts } from './screen-facts.ts';

/** Size that is read without effort at arm's length. ours: decision 130 */
const READABLE_POINTS = 11;

/** Lines below this height are small: those of the bitmap font `fixed` on most screens. */
const SMALL_LINE_POINTS = 11;

/** Line height of bitmap fonts of about that size. */
const READABLE_LINE_POINTS = 13;

const POINTS_PER_INCH = 72;

/** A monitor whose resolution exceeds the configured one by this factor makes everything small. */
const FINER = 1.2;

/** Returns the dots per inch that a user sees; the configured resolution if the monitor is not much finer. */
function readableDpi({ dpi, seenDpi }: ScreenFacts): number {
  return seenDpi > dpi * FINER ? seenDpi : dpi;
}

/** Whether the monitor is finer than the configured resolution. */
export function isTooFine({ dpi, seenDpi }: ScreenFacts): boolean {
  return seenDpi > dpi * FINER;
}

/** Returns the size in points of the configured resolution, rounded to a half. */
export function readablePoints(screen: ScreenFacts): number {
  return Math.round((2 * READABLE_POINTS * readableDpi(screen)) / screen.dpi) / 2;
}

/** Returns the height of a line of readable text in pixels. */
export function readableLinePixels(screen: ScreenFacts): number {
  return Math.round((READABLE_LINE_POINTS * readableDpi(screen)) / POINTS_PER_INCH);
}

/** Returns the height of a line as the user sees it, in points. */
export function linePoints(pixels: number, screen: ScreenFacts): number {
  return (pixels * POINTS_PER_INCH) / readableDpi(screen);
}

export function isSmall(linePixels: number, screen: ScreenFacts): boolean {
  return linePoints(linePixels, screen) < SMALL_LINE_POINTS;
}
