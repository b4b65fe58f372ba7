import type { ScreenFacts } from './screen.ts';

/** Text of this size is read without effort at arm's length. ours: decisions/0130 */
const READABLE_POINTS = 11;

/** Lines of less are small: those of the bitmap font `fixed` on most screens. */
const SMALL_LINE_POINTS = 11;

/** Bitmap fonts have lines of about this height at that size. */
const READABLE_LINE_POINTS = 13;

const POINTS_PER_INCH = 72;

/** A monitor that is this much finer than the configured resolution says makes everything small. */
const FINER = 1.2;

/** Pixels of an inch as a person sees it; the configured resolution where the monitor is not much finer. */
function readableDpi({ dpi, seenDpi }: ScreenFacts): number {
  return seenDpi > dpi * FINER ? seenDpi : dpi;
}

/** Whether the monitor is finer than the programs on it are told. */
export function isTooFine({ dpi, seenDpi }: ScreenFacts): boolean {
  return seenDpi > dpi * FINER;
}

/** Size in points of the configured resolution, to a half. */
export function readablePoints(screen: ScreenFacts): number {
  return Math.round((2 * READABLE_POINTS * readableDpi(screen)) / screen.dpi) / 2;
}

/** Height of a line of readable text in pixels. */
export function readableLinePixels(screen: ScreenFacts): number {
  return Math.round((READABLE_LINE_POINTS * readableDpi(screen)) / POINTS_PER_INCH);
}

/** Height of a line as a person sees it, in points. */
export function linePoints(pixels: number, screen: ScreenFacts): number {
  return (pixels * POINTS_PER_INCH) / readableDpi(screen);
}

export function isSmall(linePixels: number, screen: ScreenFacts): boolean {
  return linePoints(linePixels, screen) < SMALL_LINE_POINTS;
}
