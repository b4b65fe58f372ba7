/** Maps a code point to its code in a font; undefined when the font's character set lacks it. */
export type CodeOf = (codePoint: number) => number | undefined;

/** First byte of the upper half of an encoding, which holds the sets of two bytes. */
const UPPER = 0x80;
const ROW_FIRST = 0xa1;
const ROW_LAST = 0xfe;

/** Character set of two bytes → the encoding whose upper half contains it; X Logical Font Description, appendix. */
const TWO_BYTES: Readonly<Record<string, string>> = {
  jisx0208: 'euc-jp',
  ksc5601: 'euc-kr',
  gb2312: 'gb2312',
};

/** Character sets of one byte whose encoding has another name. */
const ONE_BYTE: Readonly<Record<string, string>> = {
  'koi8-r': 'koi8-r',
  'koi8-u': 'koi8-u',
  'tis620-0': 'windows-874',
  'tis620.2533-1': 'windows-874',
};

const known = new Map<string, CodeOf>();

/**
 * Returns the character codes of a font.
 * @param charset its registry and encoding, such as `iso8859-1`; an unknown one is treated as Latin-1
 */
export function codesOf(charset: string): CodeOf {
  const name = charset.toLowerCase();
  const codes = known.get(name) ?? findCodes(name);
  known.set(name, codes);
  return codes;
}

function findCodes(charset: string): CodeOf {
  if (charset.startsWith('iso10646')) return (codePoint) => (codePoint <= 0xffff ? codePoint : undefined);
  const wide = Object.keys(TWO_BYTES).find((registry) => charset.startsWith(registry));
  const encoding = wide === undefined ? (ONE_BYTE[charset] ?? iso8859(charset)) : TWO_BYTES[wide];
  if (encoding === undefined) return (codePoint) => (codePoint <= 0xff ? codePoint : undefined);
  const codes = wide === undefined ? oneByteCodes(encoding) : twoByteCodes(encoding);
  return (codePoint) => codes.get(codePoint);
}

/** Undefined for the first part, which is Latin-1 itself. */
function iso8859(charset: string): string | undefined {
  const [, part] = /^iso8859-(\d+)$/.exec(charset) ?? [];
  if (part === undefined || part === '1') return undefined;
  // The Web uses the names of their supersets for these two.
  return part === '9' ? 'windows-1254' : part === '11' ? 'windows-874' : `iso-8859-${part}`;
}

function oneByteCodes(encoding: string): ReadonlyMap<number, number> {
  const decoder = new TextDecoder(encoding);
  return new Map(
    Array.from({ length: 0x100 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)).codePointAt(0) ?? 0, byte]),
  );
}

function twoByteCodes(encoding: string): ReadonlyMap<number, number> {
  const decoder = new TextDecoder(encoding);
  const codes = new Map<number, number>();
  for (let row = ROW_FIRST; row <= ROW_LAST; row += 1) {
    for (let column = ROW_FIRST; column <= ROW_LAST; column += 1) {
      const text = decoder.decode(Uint8Array.of(row, column));
      const codePoint = text.codePointAt(0) ?? 0xfffd;
      // Undefined codes decode to the replacement character.
      if (codePoint !== 0xfffd) codes.set(codePoint, ((row - UPPER) << 8) | (column - UPPER));
    }
  }
  return codes;
}
