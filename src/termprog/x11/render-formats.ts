/** Offsets in the answer to QueryPictFormats, counted from its ninth byte; RENDER 0.11. */
const FORMAT_COUNT = 0;
const SCREEN_COUNT = 4;
const ORDER_COUNT = 16;
const FORMATS = 24;

const FORMAT_BYTES = 28;
const SCREEN_BYTES = 8;
const DEPTH_BYTES = 8;
const VISUAL_BYTES = 8;

const TYPE_DIRECT = 1;

/** Formats of pictures in the server. */
export interface PictureFormats {
  /** Coverage in 8 bits. */
  alpha: number;
  /** Red, green, blue and alpha in 32 bits, blue in the lowest. */
  color: number;
  /** Visual → format of its windows. */
  ofVisual: ReadonlyMap<number, number>;
  /** Order of the colours in a pixel of the first screen: 1 to 4, 5 without an order; 0 if unknown. */
  subpixelOrder: number;
}

/**
 * Parses the answer to QueryPictFormats. Undefined when it lacks a format that every server must have, and for
 * malformed bytes.
 */
export function decodePictureFormats(body: Uint8Array): PictureFormats | undefined {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  try {
    return readFormats(view);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readFormats(view: DataView): PictureFormats | undefined {
  const count = view.getUint32(FORMAT_COUNT, true);
  let alpha: number | undefined;
  let color: number | undefined;
  let at = FORMATS;
  for (let index = 0; index < count; index += 1, at += FORMAT_BYTES) {
    if (view.getUint8(at + 4) !== TYPE_DIRECT) continue;
    const layout = Array.from({ length: 8 }, (_, field) => view.getUint16(at + 8 + 2 * field, true)).join(' ');
    const depth = view.getUint8(at + 5);
    // Shift and mask of red, green, blue and alpha.
    if (depth === 8 && layout === '0 0 0 0 0 0 0 255') alpha ??= view.getUint32(at, true);
    if (depth === 32 && layout === '16 255 8 255 0 255 24 255') color ??= view.getUint32(at, true);
  }
  if (alpha === undefined || color === undefined) return undefined;
  return { alpha, color, ...readVisuals(view, at) };
}

function readVisuals(view: DataView, start: number): Pick<PictureFormats, 'ofVisual' | 'subpixelOrder'> {
  const formats = new Map<number, number>();
  let at = start;
  for (let screens = view.getUint32(SCREEN_COUNT, true); screens > 0; screens -= 1) {
    let depths = view.getUint32(at, true);
    at += SCREEN_BYTES;
    for (; depths > 0; depths -= 1) {
      let visuals = view.getUint16(at + 2, true);
      at += DEPTH_BYTES;
      for (; visuals > 0; visuals -= 1, at += VISUAL_BYTES) {
        formats.set(view.getUint32(at, true), view.getUint32(at + 4, true));
      }
    }
  }
  return { ofVisual: formats, subpixelOrder: view.getUint32(ORDER_COUNT, true) === 0 ? 0 : view.getUint32(at, true) };
}
