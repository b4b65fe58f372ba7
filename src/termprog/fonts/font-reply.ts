/** Contents of an answer to QueryFont; X11 protocol, QueryFont. Lengths are in pixels. */
export interface FontReply {
  /** The least value of each character metric. */
  minBounds: Pick<CharacterMetrics, 'leftBearing' | 'width'>;
  /** The greatest value of each character metric. */
  maxBounds: CharacterMetrics;
  ascent: number;
  descent: number;
  /** Atom of its full name, if it has one. */
  fullNameAtom: number | undefined;
  /** Range of character codes; undefined for a font that can have no character. */
  area: CharacterArea | undefined;
  /** Number of characters with metrics; 0 when all have those of the font, and then all of them exist. */
  count: number;
  /** Width of the character at an index; 0 if there is no such character. */
  widthAt(index: number | undefined): number;
  /** Whether the character at an index exists: one without any metrics is missing. */
  isThere(index: number | undefined): boolean;
}

export interface CharacterMetrics {
  leftBearing: number;
  rightBearing: number;
  width: number;
  ascent: number;
  descent: number;
}

/** Rows and columns of the characters; the high and the low byte of a code. */
export interface CharacterArea {
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
}

/** Offsets in the answer's bytes, counted from its ninth. */
const MIN_BOUNDS = 0;
const MAX_BOUNDS = 16;
const MIN_BYTE_2 = 32;
const MAX_BYTE_2 = 34;
const PROPERTY_COUNT = 38;
const MIN_BYTE_1 = 41;
const MAX_BYTE_1 = 42;
const FONT_ASCENT = 44;
const FONT_DESCENT = 46;
const CHARACTER_COUNT = 48;
const PROPERTIES = 52;

const PROPERTY_BYTES = 8;
const CHARACTER_BYTES = 12;

/** Offsets in the metrics of a character. */
const LEFT_BEARING = 0;
const RIGHT_BEARING = 2;
const WIDTH = 4;
const ASCENT = 6;
const DESCENT = 8;

/** Predefined atom of the property with a font's full name; X11 protocol, Appendix B. */
const FONT_ATOM = 18;

/** Parses the answer from its ninth byte on. Undefined for malformed bytes. */
export function readFontReply(body: Uint8Array): FontReply | undefined {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (view.byteLength < PROPERTIES) return undefined;
  const properties = view.getUint16(PROPERTY_COUNT, true);
  const characters = PROPERTIES + properties * PROPERTY_BYTES;
  const count = view.getUint32(CHARACTER_COUNT, true);
  if (characters + count * CHARACTER_BYTES > view.byteLength) return undefined;
  const placeOf = (index: number | undefined): number | undefined =>
    index !== undefined && index < count ? characters + index * CHARACTER_BYTES : undefined;
  return {
    minBounds: {
      leftBearing: view.getInt16(MIN_BOUNDS + LEFT_BEARING, true),
      width: view.getInt16(MIN_BOUNDS + WIDTH, true),
    },
    maxBounds: {
      leftBearing: view.getInt16(MAX_BOUNDS + LEFT_BEARING, true),
      rightBearing: view.getInt16(MAX_BOUNDS + RIGHT_BEARING, true),
      width: view.getInt16(MAX_BOUNDS + WIDTH, true),
      ascent: view.getInt16(MAX_BOUNDS + ASCENT, true),
      descent: view.getInt16(MAX_BOUNDS + DESCENT, true),
    },
    ascent: view.getInt16(FONT_ASCENT, true),
    descent: view.getInt16(FONT_DESCENT, true),
    fullNameAtom: findProperty(view, properties, FONT_ATOM),
    area: characterArea(view),
    count,
    widthAt: (index) => {
      const at = placeOf(index);
      return at === undefined ? 0 : view.getInt16(at + WIDTH, true);
    },
    isThere: (index) => {
      const at = placeOf(index);
      if (at === undefined) return false;
      // Reads the bearings, then width and ascent, then the descent; the attributes after it do not count.
      return (view.getUint32(at, true) | view.getUint32(at + 4, true) | view.getUint16(at + DESCENT, true)) !== 0;
    },
  };
}

/** Returns the index of a character; undefined if the font cannot have it. */
export function indexOf(
  { firstRow, lastRow, firstColumn, lastColumn }: CharacterArea,
  code: number,
): number | undefined {
  const perRow = lastColumn - firstColumn + 1;
  // A font without rows may number its characters in 16 bits: a column is then a whole code.
  const hasRows = lastRow > 0;
  const row = hasRows ? code >> 8 : firstRow;
  const column = hasRows ? code & 0xff : code;
  if (row < firstRow || row > lastRow || column < firstColumn || column > lastColumn) return undefined;
  return (row - firstRow) * perRow + column - firstColumn;
}

/** Returns the range of codes; undefined when a font can have no character. */
function characterArea(view: DataView): CharacterArea | undefined {
  const firstColumn = view.getUint16(MIN_BYTE_2, true);
  const lastColumn = view.getUint16(MAX_BYTE_2, true);
  const firstRow = view.getUint8(MIN_BYTE_1);
  const lastRow = view.getUint8(MAX_BYTE_1);
  return firstColumn <= lastColumn && firstRow <= lastRow ? { firstRow, lastRow, firstColumn, lastColumn } : undefined;
}

function findProperty(view: DataView, count: number, name: number): number | undefined {
  for (let at = PROPERTIES; at < PROPERTIES + count * PROPERTY_BYTES; at += PROPERTY_BYTES) {
    if (view.getUint32(at, true) === name) return view.getUint32(at + 4, true);
  }
  return undefined;
}
