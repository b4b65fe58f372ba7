import { MESSAGE_MAX_CHARACTERS, NICK_MAX_CHARACTERS } from './limits.ts';

/** Bytes of one IRC line with its CR LF; RFC 2812 §2.3. */
const LINE_MAX_BYTES = 512;
/** Longest user and host that common servers put before the text. */
const USER_MAX_BYTES = 11;
const HOST_MAX_BYTES = 64;
/** A server decides how long nicks are. Lines that it cuts are still better than hundreds of one character. */
const TEXT_MIN_BYTES = 128;

export type TextProblem = 'empty' | 'too_long' | 'not_one_line';

/** Returns why a text can't be sent; undefined if it can. @spec connector#limits message text */
export function textProblem(text: string): TextProblem | undefined {
  if (text.trim() === '') return 'empty';
  if (!text.isWellFormed() || /[\p{Cc}\u2028\u2029]/u.test(text)) return 'not_one_line';
  return [...text].length > MESSAGE_MAX_CHARACTERS ? 'too_long' : undefined;
}

/**
 * Bytes of text that fit a PRIVMSG to `channel` as other clients receive it, with the sender's prefix. The nick may
 * change before a line is written, so the longest possible nick is assumed.
 */
export function textBudgetBytes(nick: string, channel: string): number {
  const nickBytes = Math.max(Buffer.byteLength(nick), NICK_MAX_CHARACTERS);
  const rest = `:!@ PRIVMSG ${channel} :\r\n`;
  const bytes = LINE_MAX_BYTES - Buffer.byteLength(rest) - nickBytes - USER_MAX_BYTES - HOST_MAX_BYTES;
  return Math.max(bytes, TEXT_MIN_BYTES);
}

/**
 * Splits a text at grapheme boundaries into pieces of at most `budgetBytes` in UTF-8, at blanks where that costs
 * little; the pieces put together are the text. A grapheme larger than the budget is split at code points.
 */
export function splitText(text: string, budgetBytes: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const unit of unitsOf(text, budgetBytes)) {
    if (Buffer.byteLength(piece + unit) > budgetBytes) {
      const [whole, rest] = cutAtBlank(piece);
      const fits = Buffer.byteLength(rest + unit) <= budgetBytes;
      pieces.push(fits ? whole : piece);
      piece = fits ? rest : '';
    }
    piece += unit;
  }
  return [...pieces, piece];
}

function* unitsOf(text: string, budgetBytes: number): Generator<string> {
  for (const { segment } of new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)) {
    if (Buffer.byteLength(segment) <= budgetBytes) yield segment;
    else yield* segment;
  }
}

/** Cuts the piece after its last blank, if that keeps at least three quarters of it. */
function cutAtBlank(piece: string): [whole: string, rest: string] {
  const end = piece.lastIndexOf(' ') + 1;
  return end >= piece.length * 0.75 && end < piece.length ? [piece.slice(0, end), piece.slice(end)] : [piece, ''];
}
