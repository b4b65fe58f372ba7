/** Positions of the fields in a full font name, which begins with a dash; X Logical Font Description 3.1. */
const WEIGHT = 3;
const SET_WIDTH = 5;
const ADD_STYLE = 6;
const POINT_SIZE = 8;
const RESOLUTION_X = 9;
const RESOLUTION_Y = 10;
const AVERAGE_WIDTH = 12;
const CHARSET_REGISTRY = 13;
const CHARSET_ENCODING = 14;
const FIELDS = 15;

/** Returns the name of the font in bold; undefined when the name is not a full one, or already bold. */
export function boldNameOf(xlfd: string): string | undefined {
  const fields = fieldsOf(xlfd);
  if (fields === undefined || /^bold$/i.test(fields[WEIGHT] ?? '')) return undefined;
  return fields.with(WEIGHT, 'bold').join('-');
}

/**
 * Returns the name of the font with the characters of Unicode's first plane; undefined when the name is not a full one,
 * or already has them.
 */
export function unicodeNameOf(xlfd: string): string | undefined {
  const fields = fieldsOf(xlfd);
  if (fields === undefined || /^iso10646$/i.test(fields[CHARSET_REGISTRY] ?? '')) return undefined;
  return fields.with(CHARSET_REGISTRY, 'iso10646').with(CHARSET_ENCODING, '1').join('-');
}

/**
 * Returns a pattern for fonts of the same look, twice as wide, with the characters of Unicode's first plane; undefined
 * when the name is not a full one. Such fonts differ in the fields for style and resolution.
 */
export function wideNameOf(xlfd: string): string | undefined {
  const fields = fieldsOf(unicodeNameOf(xlfd) ?? xlfd);
  const width = Number(fields?.[AVERAGE_WIDTH]);
  if (fields === undefined || !(width > 0)) return undefined;
  const free = [SET_WIDTH, ADD_STYLE, POINT_SIZE, RESOLUTION_X, RESOLUTION_Y];
  return fields
    .map((field, index) => (free.includes(index) ? '*' : field))
    .with(AVERAGE_WIDTH, `${2 * width}`)
    .join('-');
}

function fieldsOf(xlfd: string): string[] | undefined {
  const fields = xlfd.split('-');
  return fields.length === FIELDS && fields[0] === '' ? fields : undefined;
}
