import { isUtf8 } from 'node:buffer';

/** A byte that is not part of a character becomes the lone surrogate with this number plus the byte's; PEP 383. */
const ESCAPE = 0xdc00;
const ESCAPE_FIRST = 0xdc80;
const ESCAPE_LAST = 0xdcff;

/** Most bytes of a character in UTF-8. */
const CHARACTER_MAX_BYTES = 4;

/** Decodes bytes that the kernel treats as text: UTF-8 is decoded, and any other byte becomes a lone surrogate. */
export function textOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length > 0) text += bytes.toString('utf8', at, at + length);
    else text += String.fromCharCode(ESCAPE + (bytes[at] ?? 0));
    at += Math.max(1, length);
  }
  return text;
}

/** Returns the bytes from which `textOfBytes` made the text. */
export function bytesOfText(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  return Buffer.concat(
    Array.from(text, (character) => {
      const code = character.charCodeAt(0);
      const isEscape = code >= ESCAPE_FIRST && code <= ESCAPE_LAST;
      return isEscape ? Buffer.of(code - ESCAPE) : Buffer.from(character, 'utf8');
    }),
  );
}

/** Returns the bytes of the character that begins at `at`; 0 if no character does. */
function characterLength(bytes: Buffer, at: number): number {
  for (let length = 1; length <= CHARACTER_MAX_BYTES; length += 1) {
    if (isUtf8(bytes.subarray(at, at + length))) return length;
  }
  return 0;
}
