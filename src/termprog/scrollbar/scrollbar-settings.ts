import type { LiveOptions } from '../options/live-options.ts';
import type { ResourceLookup } from '../xresource/lookup.ts';

/** Defaults of the widget in pixels; Athena Widget Set 3.8. */
const THICKNESS = 14;
const THUMB_LEAST = 7;

/** A wider scrollbar would leave no room for text. ours: decision 124 */
const WIDTH_MAX = 512;

/** A positive number of pixels. */
const PIXELS = /^\d{1,9}$/;

/** The scrollbar's own resources that do not change while the terminal runs. */
export interface ScrollbarSettings {
  /** Pixels between its borders. */
  width: number;
  /** Pixels of its border. */
  border: number;
  isRight: boolean;
  /** Pixels of the shortest thumb. */
  thumbLeast: number;
  /** Whether the thumb has a pattern of half its pixels; otherwise it is solid. */
  isStippled: boolean;
}

/** Returns the value of a resource of the scrollbar, such as `width`; undefined when no source sets it. */
export function scrollbarResource({ lookup }: ResourceLookup, name: string): string | undefined {
  return lookup(['vt100', 'scrollbar', name], ['VT100', 'Scrollbar', classOf(name)]);
}

/** @param warn is called for each invalid value */
export function readScrollbarSettings(
  options: Pick<LiveOptions, 'get'>,
  resources: ResourceLookup,
  warn: (message: string) => void,
): ScrollbarSettings {
  const pixels = (name: string, fallback: number): number => {
    const text = scrollbarResource(resources, name)?.trim();
    if (text === undefined) return fallback;
    if (PIXELS.test(text)) return Number(text);
    warn(`resource scrollbar.${name}: "${text}" is not a number of pixels; ${fallback} is used`);
    return fallback;
  };
  const thickness = pixels('thickness', THICKNESS);
  const bound = (width: number): number => Math.min(width, WIDTH_MAX);
  return {
    // The thickness is the default of the width, as in the widget.
    width: Math.max(1, bound(pixels('width', 0) || thickness)),
    border: bound(options.get('scrollBarBorder')),
    isRight: options.get('rightScrollBar'),
    thumbLeast: pixels('minimumThumb', THUMB_LEAST),
    isStippled: readThumb(resources, warn),
  };
}

/** Returns the scrollbar's part of the window's width; its outer border lies beyond the window's edge. */
export function insetOf(
  { width, border, isRight }: Pick<ScrollbarSettings, 'width' | 'border' | 'isRight'>,
  isShown: boolean,
): { left: number; right: number } {
  const taken = isShown ? width + border : 0;
  return isRight ? { left: 0, right: taken } : { left: taken, right: 0 };
}

/** Whether the thumb is stippled. Bitmap files are not supported. ours: decision 124 */
function readThumb(resources: ResourceLookup, warn: (message: string) => void): boolean {
  const text = scrollbarResource(resources, 'thumb')?.trim();
  if (text === undefined || /^XtUnspecifiedPixmap$/i.test(text)) return true;
  if (/^None$/i.test(text)) return false;
  warn(`resource scrollbar.thumb: "${text}" is not None, which makes the thumb solid; it stays as it is`);
  return true;
}

/** Returns a resource's class, which begins with a capital; the shortest thumb and the width follow that rule too. */
function classOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
