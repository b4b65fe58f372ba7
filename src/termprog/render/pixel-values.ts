import type { Rgb } from '../color/parse-color.ts';
import type { WindowVisual } from '../x11/window-visual.ts';

/** Largest level of a colour channel. */
const LEVEL_MAX = 255;

/** Converts colours as 0xrrggbb to pixel values of a visual. */
export interface PixelValues {
  opaque(color: number): number;
  /** Premultiplied; opaque if the visual has no alpha. `opacity` is from 0 to 1. */
  translucent(color: number, opacity: number): number;
}

export function pixelValues({ redMask, greenMask, blueMask, alphaMask }: WindowVisual): PixelValues {
  const [red, green, blue, alpha] = [redMask, greenMask, blueMask, alphaMask].map(placeIn) as [
    Place,
    Place,
    Place,
    Place,
  ];
  const solid = alpha(LEVEL_MAX);
  const isUsual = redMask === 0xff0000 && greenMask === 0xff00 && blueMask === 0xff;
  const place = isUsual
    ? (color: number): number => color
    : (color: number): number => (red(color >> 16) | green((color >> 8) & 0xff) | blue(color & 0xff)) >>> 0;
  const opaque = (color: number): number => (place(color) | solid) >>> 0;
  return {
    opaque,
    translucent: (color, opacity) => {
      if (alphaMask === 0 || opacity >= 1) return opaque(color);
      const scaled = (level: number): number => Math.round(level * opacity);
      const dimmed = (scaled(color >> 16) << 16) | (scaled((color >> 8) & 0xff) << 8) | scaled(color & 0xff);
      return (place(dimmed) | alpha(scaled(LEVEL_MAX))) >>> 0;
    },
  };
}

type Place = (level: number) => number;

/** Factor from a level of eight bits to one of sixteen: the largest stays the largest. */
const LEVEL_16 = 0x101;

/** Returns a function that places a level of eight bits at a mask's bits; it returns 0 for an empty mask. */
function placeIn(mask: number): Place {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const bits = 32 - Math.clz32(mask >>> shift);
  return (level) => ((level * LEVEL_16) >> (16 - bits)) << shift;
}

/** Returns a colour as 0xrrggbb. */
export function numberOf({ red, green, blue }: Rgb): number {
  return (red << 16) | (green << 8) | blue;
}
