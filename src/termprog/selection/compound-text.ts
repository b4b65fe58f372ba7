import { CompoundWriter, UTF8_END } from './compound-writer.ts';
import { utf8Of } from './text-forms.ts';

/** Compound Text Encoding 1.1 of the X Consortium: ASCII and Latin-1, with escape sequences to other encodings. */

const ESCAPE = 0x1b;
const CSI = 0x9b;

/**
 * Longer texts are not decoded: an owner could force the decoding of each byte on its own. Owners of such texts also
 * offer UTF-8.
 */
export const COMPOUND_TEXT_MAX_BYTES = 2 * 1024 * 1024;

/** First bytes in UTF-8 of Latin-1's characters outside ASCII, and of all characters beyond them. */
const LEAD_OF_LATIN1 = 0xc2;
const LEAD_OF_OTHERS = 0xc4;

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

/** Sets of 94 x 94 characters by their final byte, as encodings that contain them in the right half. */
const WIDE_SETS: Readonly<Record<string, string>> = { A: 'gbk', B: 'euc-jp', C: 'euc-kr' };

/**
 * Encodes UTF-8 as Compound Text: characters outside Latin-1 are marked as UTF-8. Control characters other than tab and
 * newline are dropped. It works on bytes, because strings of a frame's lines between letters cost seconds and
 * gigabytes.
 */
export function compoundTextOf(utf8: Uint8Array): Buffer {
  const source = utf8Of(utf8);
  const writer = new CompoundWriter(source.length);
  for (let at = 0; at < source.length; ) {
    const lead = source[at] as number;
    if (lead >= LEAD_OF_OTHERS) {
      const end = othersEnd(source, at);
      writer.writeUtf8(source.subarray(at, end));
      at = end;
      continue;
    }
    const isLong = lead >= LEAD_OF_LATIN1;
    const code = isLong ? ((lead & 0x03) << 6) | ((source[at + 1] as number) & 0x3f) : lead;
    if (isInCompoundText(code)) writer.writeLatin1(code);
    at += isLong ? 2 : 1;
  }
  return writer.finish();
}

/** Returns the end of the characters that Latin-1 lacks. */
function othersEnd(source: Uint8Array, start: number): number {
  let end = start + 1;
  while (end < source.length && ((source[end] as number) >= LEAD_OF_OTHERS || isContinuation(source[end] as number))) {
    end += 1;
  }
  return end;
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Whether Compound Text may contain a character of Latin-1: no control character but tab and newline. */
function isInCompoundText(code: number): boolean {
  return code < 0x20 ? code === 0x09 || code === 0x0a : code < 0x7f || code >= 0xa0;
}

/** State of the decoder. */
interface Sets {
  /** Encodings of the left and right half; undefined for ASCII. */
  left: string | undefined;
  right: string;
  isLeftWide: boolean;
}

/** Decodes Compound Text to UTF-8; parts in unknown encodings become replacement characters. */
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

/** Returns the end of a direction sequence, which ends with a letter. */
function behindFinal(source: Buffer, start: number): number {
  let at = start;
  while (at < source.length && (source[at] as number) < 0x40) at += 1;
  return at + 1;
}

/** Changes the sets, or decodes a segment of another encoding; returns the end of the sequence. */
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
      // A segment in a named encoding, after the two bytes of its length.
      texts.push('\ufffd');
      return end + 2 + ((source[end] ?? 0) & 0x7f) * 128 + ((source[end + 1] ?? 0) & 0x7f);
    default:
      designate(sets, kind, final);
      return end;
  }
}

function takeUtf8(source: Buffer, start: number, texts: string[]): number {
  const close = source.indexOf(UTF8_END, start);
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

/** Decodes a segment; both halves may alternate within it. */
function decodeSegment(segment: Buffer, { left, right, isLeftWide }: Sets): string {
  // These encodings contain ASCII in the left half.
  if (!isLeftWide && right !== 'unknown') return decode(segment, right);
  let text = '';
  for (let start = 0; start < segment.length; ) {
    const isRight = (segment[start] as number) >= 0x80;
    // Controls and spaces are the same in every set, and ASCII has all of them.
    const isPlain = isLeftWide && !isRight && (segment[start] as number) <= 0x20;
    let end = start + 1;
    while (end < segment.length && isSameHalf(segment[end] as number, { isRight, isPlain, isLeftWide })) end += 1;
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

function isSameHalf(
  byte: number,
  { isRight, isPlain, isLeftWide }: { isRight: boolean; isPlain: boolean; isLeftWide: boolean },
): boolean {
  return byte >= 0x80 ? isRight : !isRight && (!isLeftWide || byte <= 0x20 === isPlain);
}

function decode(bytes: Uint8Array, encoding: string): string {
  // The platform's decoder takes this label for windows-1252.
  if (encoding === 'latin1') return Buffer.from(bytes).toString('latin1');
  if (encoding === 'unknown') return '\ufffd';
  const decoder = DECODERS.get(encoding) ?? new TextDecoder(encoding);
  DECODERS.set(encoding, decoder);
  return decoder.decode(bytes);
}

/** Decoders by encoding: a text may change its encoding at each character. */
const DECODERS = new Map<string, InstanceType<typeof TextDecoder>>();
