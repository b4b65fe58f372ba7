const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const DELETE = 0x7f;
/** First byte of U+0080 to U+00BF in UTF-8; the controls are those below U+00A0. */
const LEAD_OF_C1 = 0xc2;
const END_OF_C1 = 0xa0;

/** Brackets around pasted text, for applications that requested them; mode 2004. */
const BEGIN = Buffer.from('\x1b[200~');
const END = Buffer.from('\x1b[201~');

/**
 * Encodes pasted UTF-8 for the application: lines end as the Return key does, and control characters other than tabs
 * are dropped, so that pasted text can do no more than typed text, and can't end the paste itself.
 */
export function pastedBytes(text: Uint8Array, { isBracketed }: { isBracketed: boolean }): Uint8Array {
  const before = isBracketed ? BEGIN.length : 0;
  const bytes = Buffer.allocUnsafe(before + text.length + END.length);
  const end = copyAllowed(text, bytes, before);
  if (!isBracketed || end === before) return bytes.subarray(before, end);
  BEGIN.copy(bytes);
  return bytes.subarray(0, end + END.copy(bytes, end));
}

/** Copies the permitted bytes; returns the end of the output. */
function copyAllowed(text: Uint8Array, into: Uint8Array, start: number): number {
  let end = start;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] as number;
    if (byte === LEAD_OF_C1 && (text[at + 1] ?? 0) < END_OF_C1) at += 1;
    else if (byte === NEWLINE) {
      // A line end of two characters counts as one key.
      if (text[at - 1] !== RETURN) into[end++] = RETURN;
    } else if (isAllowed(byte)) into[end++] = byte;
  }
  return end;
}

const isAllowed = (byte: number): boolean => (byte >= SPACE ? byte !== DELETE : byte === TAB || byte === RETURN);
