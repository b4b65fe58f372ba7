import { LOAD } from './freetype.ts';
import type { NativeFace } from './native-face.ts';

/** Most layers of a glyph; emoji have some dozens. */
const LAYERS_MAX = 1_024;

/** Most pixels of all layers of a glyph together: FreeType needs a third of a second for them. */
const LAYERS_PIXELS_MAX = 32 << 20;

/**
 * Whether a glyph's colour layers are small enough. Each layer is an outline of any size, and FreeType renders all of
 * them in one step. True for a glyph without layers. The face's loaded glyph changes.
 * @param loadFlags those of the glyph
 * @param pictureMax pixels of the picture
 */
export function hasRoomForLayers(native: NativeFace, glyph: number, loadFlags: number, pictureMax: number): boolean {
  const layers = native.colorLayers(glyph, LAYERS_MAX + 1);
  if (layers.length > LAYERS_MAX) return false;
  const edges = { left: 0, top: 0, right: 0, bottom: 0 };
  let pixels = 0;
  for (const layer of layers) {
    if (!native.load(layer, loadFlags & ~LOAD.color)) continue;
    const { left, top, rows, columns } = native.slot().picture;
    pixels += rows * columns;
    edges.left = Math.min(edges.left, left);
    edges.top = Math.max(edges.top, top);
    edges.right = Math.max(edges.right, left + columns);
    edges.bottom = Math.min(edges.bottom, top - rows);
    const area = (edges.right - edges.left) * (edges.top - edges.bottom);
    if (pixels > LAYERS_PIXELS_MAX || area > pictureMax) return false;
  }
  return true;
}
