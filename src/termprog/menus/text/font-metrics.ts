/** What is needed of a font for labels; X11 protocol, QueryFont. */
export interface FontMetrics {
  /** Of the tallest characters, in pixels: the toolkit's menus go by these, not by those of the font. */
  ascent: number;
  descent: number;
  /** Atom of its full name. */
  fullNameAtom: number | undefined;
  /** Of a character by its code in the font, in pixels; undefined when it has none. */
  widthOf(code: number): number | undefined;
}

/** Places in the answer's bytes, counted from its ninth. */
const MAX_BOUNDS = 16;
const MIN_BYTE_2 = 32;
const MAX_BYTE_2 = 34;
const PROPERTY_COUNT = 38;
const MIN_BYTE_1 = 41;
const MAX_BYTE_1 = 42;
const CHARACTER_COUNT = 48;
const PROPERTIES = 52;
const PROPERTY_BYTES = 8;
const CHARACTER_BYTES = 12;

/** Places in the metrics of a character. */
const RIGHT_BEARING = 2;
const WIDTH = 4;
const ASCENT = 6;
const DESCENT = 8;

/** The predefined atom of the property that holds a font's full name; X11 protocol, Appendix B. */
const FONT_ATOM = 18;

/** Undefined for bytes that are not an answer to QueryFont. */
export function decodeMetrics(body: Uint8Array): FontMetrics | undefined {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (view.byteLength < PROPERTIES) return undefined;
  const properties = view.getUint16(PROPERTY_COUNT, true);
  const characters = PROPERTIES + properties * PROPERTY_BYTES;
  const count = view.getUint32(CHARACTER_COUNT, true);
  if (characters + count * CHARACTER_BYTES > view.byteLength) return undefined;
  const first = view.getUint16(MIN_BYTE_2, true);
  const columns = view.getUint16(MAX_BYTE_2, true) - first + 1;
  const [firstRow, lastRow] = [view.getUint8(MIN_BYTE_1), view.getUint8(MAX_BYTE_1)];
  return {
    ascent: view.getInt16(MAX_BOUNDS + ASCENT, true),
    descent: view.getInt16(MAX_BOUNDS + DESCENT, true),
    fullNameAtom: fullNameIn(view, properties),
    widthOf: (code) => {
      // Fonts of one row count on from byte to byte.
      const row = firstRow === lastRow ? 0 : (code >> 8) - firstRow;
      const column = firstRow === lastRow ? code - first - (firstRow << 8) : (code & 0xff) - first;
      if (row < 0 || row > lastRow - firstRow || column < 0 || column >= columns) return undefined;
      if (count === 0) return view.getInt16(MAX_BOUNDS + WIDTH, true);
      const at = characters + (row * columns + column) * CHARACTER_BYTES;
      if (at + CHARACTER_BYTES > view.byteLength) return undefined;
      const width = view.getInt16(at + WIDTH, true);
      // A character whose metrics are all 0 is not there.
      const isThere = width !== 0 || view.getInt16(at + RIGHT_BEARING, true) !== 0;
      return isThere ? width : undefined;
    },
  };
}

function fullNameIn(view: DataView, properties: number): number | undefined {
  for (let index = 0; index < properties; index += 1) {
    const at = PROPERTIES + index * PROPERTY_BYTES;
    if (view.getUint32(at, true) === FONT_ATOM) return view.getUint32(at + 4, true);
  }
  return undefined;
}
