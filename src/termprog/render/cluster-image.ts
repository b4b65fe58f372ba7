import type { GlyphImage } from '../fonts/outline/face.ts';
import type { FaceRoute } from '../fonts/routing/route.ts';
import type { SlotMetrics } from '../fonts/slot-fonts.ts';

const COLOR_BYTES = 4;
const OPAQUE = 255;

/**
 * The picture of a cluster, in the format of a glyph's: cut to the rows of its cell, and to its own cells and their
 * neighbours.
 */
export type ClusterImage = Omit<GlyphImage, 'advance'>;

/** Draws the glyphs of the routes over each other. Undefined when a glyph can't be drawn. */
export function drawCluster(
  routes: readonly FaceRoute[],
  cells: number,
  metrics: SlotMetrics,
): ClusterImage | undefined {
  const images: ClusterImage[] = [];
  for (const { face, glyphs, scale, isColor } of routes) {
    for (const { glyph, x, y } of glyphs) {
      const image = face.rasterize(glyph, { scale, isMonochrome: !isColor });
      if (image === undefined) return undefined;
      const placed = { ...image, left: image.left + Math.round(x * scale), top: image.top - Math.round(y * scale) };
      // Each is cut before they are joined: a damaged font may place them millions of pixels apart.
      images.push(cut(placed, cells, metrics));
    }
  }
  return joined(images);
}

/**
 * Joins the pictures into one. The first colour picture determines the format; pictures of another format are dropped.
 */
function joined(images: readonly ClusterImage[]): ClusterImage {
  const [only] = images;
  if (only !== undefined && images.length === 1) return only;
  const inked = images.filter(({ width, height }) => width > 0 && height > 0);
  const format = inked.find((image) => image.format === 'color')?.format ?? inked[0]?.format ?? 'alpha';
  const parts = inked.filter((image) => image.format === format);
  const left = Math.min(...parts.map((part) => part.left));
  const top = Math.max(...parts.map((part) => part.top));
  if (parts.length === 0) return { format, width: 0, height: 0, left: 0, top: 0, pixels: new Uint8Array(0) };
  const width = Math.max(...parts.map((part) => part.left + part.width)) - left;
  const height = top - Math.min(...parts.map((part) => part.top - part.height));
  const bytes = format === 'alpha' ? 1 : COLOR_BYTES;
  const pixels = new Uint8Array(width * height * bytes);
  for (const part of parts) {
    for (let row = 0; row < part.height; row += 1) {
      const to = ((top - part.top + row) * width + part.left - left) * bytes;
      const from = row * part.width * bytes;
      blendRow(pixels.subarray(to, to + part.width * bytes), part.pixels.subarray(from), format);
    }
  }
  return { format, width, height, left, top, pixels };
}

/** Adds up coverage, as the server does within a text; blends colours over each other. */
function blendRow(under: Uint8Array, over: Uint8Array, format: GlyphImage['format']): void {
  for (let at = 0; at < under.length; at += 1) {
    const below = under[at] ?? 0;
    const above = over[at] ?? 0;
    const kept = format === 'color' ? OPAQUE - (over[at | 3] ?? 0) : OPAQUE;
    under[at] = Math.min(OPAQUE, above + Math.round((below * kept) / OPAQUE));
  }
}

function cut(image: ClusterImage, cells: number, { cell, ascent, descent }: SlotMetrics): ClusterImage {
  const { format, width, left, top, pixels } = image;
  const hangs = format === 'color' ? 0 : cell.width;
  const right = Math.min(left + width, cells * cell.width + hangs);
  const newLeft = Math.max(left, -hangs);
  const newTop = Math.min(top, ascent);
  const bottom = Math.max(top - image.height, -descent);
  const newWidth = Math.max(0, right - newLeft);
  const newHeight = Math.max(0, newTop - bottom);
  if (newWidth === width && newHeight === image.height) return image;
  if (newWidth === 0 || newHeight === 0) {
    return { format, width: 0, height: 0, left: 0, top: 0, pixels: new Uint8Array(0) };
  }
  const bytes = format === 'alpha' ? 1 : COLOR_BYTES;
  const rows = new Uint8Array(newWidth * newHeight * bytes);
  for (let row = 0; row < newHeight; row += 1) {
    const from = ((top - newTop + row) * width + newLeft - left) * bytes;
    rows.set(pixels.subarray(from, from + newWidth * bytes), row * newWidth * bytes);
  }
  return { format, width: newWidth, height: newHeight, left: newLeft, top: newTop, pixels: rows };
}
