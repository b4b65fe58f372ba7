import { isUtf8 } from 'node:buffer';

export const LINE_FEED = 0x0a;
const BLANK = 0x20;

/** Characters of the bytes 0x80 to 0x9f in windows-1252; the five undefined bytes stand for themselves. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Most bytes of a character that a server may have cut off at the end of a line. */
const CUT_MAX_BYTES = 3;

/**
 * Splits bytes into lines without line feeds. Each line is decoded on its own, because each comes from another program.
 */
export function textsOf(bytes: Buffer): string[] {
  // The usual case.
  if (isUtf8(bytes)) return bytes.toString('utf8').split('\n');
  const texts: string[] = [];
  let start = 0;
  for (;;) {
    const feed = bytes.indexOf(LINE_FEED, start);
    texts.push(textOf(bytes.subarray(start, feed === -1 ? undefined : feed)));
    if (feed === -1) return texts;
    start = feed + 1;
  }
}

/**
 * Decodes a line as UTF-8 if possible, also if the server has cut the last character; otherwise as windows-1252. The
 * last parameter and the words before it may come from different programs: a person uses an old encoding in a channel
 * whose name is UTF-8.
 */
function textOf(line: Buffer): string {
  if (isUtf8(line)) return line.toString('utf8');
  const last = lastParameterAt(line);
  const words: string[] = [];
  for (let start = 0; start < last; ) {
    const end = line.indexOf(BLANK, start);
    words.push(textOfWord(line.subarray(start, end)));
    start = end + 1;
  }
  const said = line.subarray(last);
  return [...words, isCutUtf8(said) ? said.toString('utf8') : textOfWord(said)].join(' ');
}

/** Returns the start of the last parameter: after a colon, or the last word. */
function lastParameterAt(line: Buffer): number {
  let start = 0;
  // Tags and the source of the line may contain a colon, too.
  for (const mark of ['@', ':']) {
    if (line[start] === mark.charCodeAt(0)) start = line.indexOf(BLANK, start) + 1;
  }
  const marked = line.indexOf(' :', start);
  return 1 + (marked === -1 ? line.lastIndexOf(BLANK) : marked);
}

const textOfWord = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString('utf8') : fromWindows1252(bytes));

/**
 * Whether all bytes except a cut last character are UTF-8 and not just ASCII: one byte alone at the end proves no
 * encoding.
 */
function isCutUtf8(line: Buffer): boolean {
  const end = line.at(-1) === 0x0d ? line.length - 1 : line.length;
  for (let cut = 1; cut <= CUT_MAX_BYTES && cut < end; cut += 1) {
    const whole = line.subarray(0, end - cut);
    const isLead = (line[end - cut] ?? 0) >= 0xc2;
    if (isLead && isUtf8(whole)) return whole.some((byte) => byte >= 0x80);
  }
  return false;
}

const fromWindows1252 = (line: Buffer): string =>
  line.toString('latin1').replaceAll(/[\u0080-\u009f]/g, (byte) => WINDOWS_1252.charAt(byte.charCodeAt(0) - 0x80));
