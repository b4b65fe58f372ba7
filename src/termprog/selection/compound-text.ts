/** Compound Text Encoding 1.1 of the X Consortium: ASCII and Latin-1, with escape sequences to other encodings. */

const ESCAPE = 0x1b;
const CSI = 0x9b;

/** Longer texts are not read: an owner could have each byte decoded on its own. Those that have so much have UTF-8 too. */
export const COMPOUND_TEXT_MAX_BYTES = 2 * 1024 * 1024;

/** Switches to UTF-8 and back; extension of XFree86, which all X libraries read. */
const UTF8_BEGIN = '\x1b%G';
const UTF8_END = '\x1b%@';

/** Sets of 96 characters by their final byte: parts of ISO 8859. */
const RIGHT_SETS: Readonly<Record<string, string>> = {
  A: 'latin1',
  B: 'iso-8859-2',
  C: 'iso-8859-3',
  D: 'iso-8859-4',
  F: 'iso-8859-7',
  G: 'iso-8859-6',
  H: 'iso-8859-8',
  L: 'iso-8859-5',
  M: 'windows-1254',
  b: 'iso-8859-15',
};

/** Sets of 94 x 94 characters by their final byte, as encodings that have them in the right half. */
const WIDE_SETS: Readonly<Record<string, string>> = { A: 'gbk', B: 'euc-jp', C: 'euc-kr' };

/** UTF-8 as Compound Text: what is not Latin-1 is marked as UTF-8. Control characters other than tab and newline are left out. */
export function compoundTextOf(utf8: Uint8Array): Buffer {
  const text = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString('utf8');
  const pieces = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go.
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '')
    .split(/([^\0-\xff]+)/u)
    .map((piece, index) =>
      index % 2 === 0
        ? Buffer.from(piece, 'latin1')
        : Buffer.concat([Buffer.from(UTF8_BEGIN), Buffer.from(piece, 'utf8'), Buffer.from(UTF8_END)]),
    );
  return Buffer.concat(pieces);
}

/** Where the decoder is. */
interface Sets {
  /** Encodings of the left and right half; undefined for ASCII. */
  left: string | undefined;
  right: string;
  isLeftWide: boolean;
}

/** Compound Text as UTF-8; parts in encodings that are not known become replacement characters. */
export function utf8OfCompoundText(bytes: Uint8Array): Uint8Array {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sets: Sets = { left: undefined, right: 'latin1', isLeftWide: false };
  const texts: string[] = [];
  for (let at = 0; at < source.length; ) {
    if (source[at] === ESCAPE) at = takeEscape(source, at, sets, texts);
    else if (source[at] === CSI) at = behindFinal(source, at + 1);
    else {
      const end = segmentEnd(source, at);
      texts.push(decodeSegment(source.subarray(at, end), sets));
      at = end;
    }
  }
  return Buffer.from(texts.join(''), 'utf8');
}

function segmentEnd(source: Buffer, start: number): number {
  let end = start;
  while (end < source.length && source[end] !== ESCAPE && source[end] !== CSI) end += 1;
  return end;
}

/** Sequences of direction end with a letter. */
function behindFinal(source: Buffer, start: number): number {
  let at = start;
  while (at < source.length && (source[at] as number) < 0x40) at += 1;
  return at + 1;
}

/** Changes the sets, or decodes a segment of another encoding; gives the place behind. */
function takeEscape(source: Buffer, at: number, sets: Sets, texts: string[]): number {
  let end = at + 1;
  while (end < source.length && ((source[end] as number) & 0xf0) === 0x20) end += 1;
  const kind = source.toString('latin1', at + 1, end);
  const final = source.toString('latin1', end, end + 1);
  end += 1;
  switch (kind) {
    case '%':
      return final === 'G' ? takeUtf8(source, end, texts) : end;
    case '%/':
      // A segment in an encoding that its name tells, behind the two bytes of its length.
      texts.push('\ufffd');
      return end + 2 + ((source[end] ?? 0) & 0x7f) * 128 + ((source[end + 1] ?? 0) & 0x7f);
    default:
      designate(sets, kind, final);
      return end;
  }
}

function takeUtf8(source: Buffer, start: number, texts: string[]): number {
  const close = source.indexOf(UTF8_END, start, 'latin1');
  texts.push(source.toString('utf8', start, close < 0 ? source.length : close));
  return close < 0 ? source.length : close + UTF8_END.length;
}

function designate(sets: Sets, kind: string, final: string): void {
  switch (kind) {
    case '(':
      Object.assign(sets, { left: undefined, isLeftWide: false });
      break;
    case '$(':
    case '$':
      Object.assign(sets, { left: WIDE_SETS[final] ?? 'unknown', isLeftWide: true });
      break;
    case '$)':
      sets.right = WIDE_SETS[final] ?? 'unknown';
      break;
    case ')':
      sets.right = final === 'I' ? 'shift_jis' : 'unknown';
      break;
    case '-':
      sets.right = RIGHT_SETS[final] ?? 'unknown';
      break;
    default:
  }
}

/** Both halves alternate within a segment. */
function decodeSegment(segment: Buffer, { left, right, isLeftWide }: Sets): string {
  // These have ASCII in the left half themselves.
  if (!isLeftWide && right !== 'unknown') return decode(segment, right);
  let text = '';
  for (let start = 0; start < segment.length; ) {
    const isRight = (segment[start] as number) >= 0x80;
    // Controls and spaces are the same in every set.
    const isPlain = !isRight && (segment[start] as number) <= 0x20;
    let end = start + 1;
    while (end < segment.length && isSameHalf(segment[end] as number, isRight, isPlain)) end += 1;
    const part = segment.subarray(start, end);
    if (isRight) text += decode(part, right);
    else
      text +=
        isPlain || !isLeftWide
          ? part.toString('latin1')
          : decode(
              part.map((byte) => byte | 0x80),
              left ?? '',
            );
    start = end;
  }
  return text;
}

function isSameHalf(byte: number, isRight: boolean, isPlain: boolean): boolean {
  return byte >= 0x80 ? isRight : !isRight && byte <= 0x20 === isPlain;
}

function decode(bytes: Uint8Array, encoding: string): string {
  // The label means windows-1252 to the decoder of the platform.
  if (encoding === 'latin1') return Buffer.from(bytes).toString('latin1');
  if (encoding === 'unknown') return '\ufffd';
  const decoder = DECODERS.get(encoding) ?? new TextDecoder(encoding);
  DECODERS.set(encoding, decoder);
  return decoder.decode(bytes);
}

/** By their encodings: a text may change between them at each character. */
const DECODERS = new Map<string, InstanceType<typeof TextDecoder>>();
