import { decodeBytes, encodeBytes } from './decode-bytes.ts';

/** Locales that name no language, and leave the character set to the text. */
const PLAIN = /^(?:C|POSIX)$/i;

/** Default character sets of languages whose locale names none; X11/locale/locale.alias. */
const CHARSETS: Readonly<Record<string, string>> = {
  ja: 'euc-jp',
  ko: 'euc-kr',
  zh: 'gb2312',
  zh_TW: 'big5',
  zh_HK: 'big5',
  ru: 'iso-8859-5',
  bg: 'iso-8859-5',
  uk: 'koi8-u',
  el: 'iso-8859-7',
  he: 'iso-8859-8',
  iw: 'iso-8859-8',
  tr: 'iso-8859-9',
  th: 'windows-874',
  cs: 'iso-8859-2',
  hr: 'iso-8859-2',
  hu: 'iso-8859-2',
  pl: 'iso-8859-2',
  ro: 'iso-8859-2',
  sk: 'iso-8859-2',
  sl: 'iso-8859-2',
};

const LATIN_1 = 'iso-8859-1';

/** A locale for files and texts: its language, and the encoding of its texts. */
export interface TextLocale {
  /** The given name. */
  name: string;
  /** Undefined for the locale C: texts are decoded as UTF-8 if valid, otherwise as Latin-1. */
  charset: string | undefined;
}

/** Parses a locale's name, such as `de_DE.UTF-8`; undefined for an invalid name. */
export function textLocaleOf(name: string): TextLocale | undefined {
  if (PLAIN.test(name)) return { name, charset: undefined };
  const [, language, territory, codeset] = /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:\.([\w.:-]+))?(?:@\w+)?$/.exec(name) ?? [];
  if (language === undefined && !/^C\./.test(name)) return undefined;
  const written = codeset ?? /^C\.(.+)$/.exec(name)?.[1];
  const charset =
    written === undefined
      ? (CHARSETS[`${language}_${territory}`] ?? CHARSETS[language ?? ''] ?? LATIN_1)
      : charsetOf(written);
  return charset === undefined ? undefined : { name, charset };
}

/** Returns the Web's name of a locale's character set, such as `eucJP`; undefined for an unknown one. */
function charsetOf(codeset: string): string | undefined {
  const plain = codeset.toLowerCase().replace(/[^a-z0-9]/g, '');
  const [, part] = /^iso8859(\d+)$/.exec(plain) ?? [];
  if (part !== undefined) return known(`iso-8859-${part}`);
  const [, country] = /^(?:euc|ujis)(jp|kr|cn)?$/.exec(plain) ?? [];
  if (country !== undefined) return country === 'cn' ? 'gb2312' : `euc-${country}`;
  return known(codeset) ?? known(plain) ?? known(plain.replace(/^([a-z]+\d*)([a-z]+)$/, '$1-$2'));
}

function known(label: string): string | undefined {
  try {
    new TextDecoder(label);
    return label.toLowerCase();
  } catch {
    // The decoder has no such character set.
    return undefined;
  }
}

/**
 * Decodes a value in a locale's character set; invalid bytes are decoded as without a locale.
 * @param bytes the value's bytes, one character each, if they are not UTF-8
 */
export function decodeIn({ charset }: TextLocale, value: string, bytes: string | undefined): string {
  const raw = bytes ?? encodeBytes(value);
  if (charset === undefined || !/[\x80-\xff]/.test(raw)) return value;
  // The Web maps Latin-1 to another set; here a byte is a code point.
  if (charset === LATIN_1) return raw;
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(raw, 'latin1'));
  } catch {
    // The bytes are invalid in this character set.
    return decodeBytes(raw);
  }
}
