import x11 from 'x11';
import { vendorKeysym } from './vendor-keysyms.ts';

/** Keysyms that the keyboard code itself handles; keysymdef.h. */
export const KEYSYM = {
  none: 0,
  backSpace: 0xff08,
  tab: 0xff09,
  linefeed: 0xff0a,
  clear: 0xff0b,
  return: 0xff0d,
  escape: 0xff1b,
  leftTab: 0xfe20,
  level3Shift: 0xfe03,
  numLock: 0xff7f,
  capsLock: 0xffe5,
  keypadSpace: 0xff80,
  keypadTab: 0xff89,
  keypadEnter: 0xff8d,
  keypadEqual: 0xffbd,
  keypadMultiply: 0xffaa,
  keypad9: 0xffb9,
  altLeft: 0xffe9,
  altRight: 0xffea,
  metaLeft: 0xffe7,
  metaRight: 0xffe8,
  hyperLeft: 0xffed,
  hyperRight: 0xffee,
  superLeft: 0xffeb,
  superRight: 0xffec,
  modeSwitch: 0xff7e,
} as const;

/** Keysyms from here on carry a Unicode code point in their low bits. */
const UNICODE_FIRST = 0x0100_0000;
const UNICODE_LAST = 0x0110_ffff;

/** Whether a key stands on the numeric keypad. */
export function isKeypad(keysym: number): boolean {
  return keysym >= KEYSYM.keypadSpace && keysym <= KEYSYM.keypadEqual;
}

/** Modifier and lock keys, which send nothing. */
export function isModifier(keysym: number): boolean {
  return (
    (keysym >= 0xffe1 && keysym <= 0xffee) ||
    (keysym >= 0xfe01 && keysym <= 0xfe0f) ||
    keysym === KEYSYM.numLock ||
    keysym === KEYSYM.modeSwitch
  );
}

/** The character a keysym stands for; undefined for keys without one. */
export function characterOf(keysym: number): string | undefined {
  if ((keysym >= 0x20 && keysym <= 0x7e) || (keysym >= 0xa0 && keysym <= 0xff)) return String.fromCharCode(keysym);
  if (keysym >= UNICODE_FIRST && keysym <= UNICODE_LAST) return String.fromCodePoint(keysym - UNICODE_FIRST);
  if (keysym === KEYSYM.keypadSpace) return ' ';
  if (keysym === KEYSYM.keypadEqual) return '=';
  if (keysym >= KEYSYM.keypadMultiply && keysym <= KEYSYM.keypad9) return String.fromCharCode(keysym & 0x7f);
  return keysym >= 0x100 && keysym < 0xfd00 ? legacyCharacter(keysym) : undefined;
}

/** The keysym of a name such as `Prior`, `a` or `U20AC`; undefined for a name nobody knows. */
export function keysymNamed(name: string): number | undefined {
  if (/^[ -~]$/.test(name)) return name.charCodeAt(0);
  return x11.keySyms[`XK_${name}`]?.code ?? vendorKeysym(name) ?? keysymOfCodePoint(name);
}

/** `U20AC` as the X library reads it: the characters of Latin 1 have keysyms of their own. */
function keysymOfCodePoint(name: string): number | undefined {
  const digits = /^U([0-9a-f]{4,6})$/i.exec(name)?.[1];
  if (digits === undefined) return undefined;
  const codePoint = Number.parseInt(digits, 16);
  if (codePoint > UNICODE_LAST - UNICODE_FIRST) return undefined;
  if (codePoint >= 0x100) return UNICODE_FIRST + codePoint;
  return codePoint < 0x20 || (codePoint > 0x7e && codePoint < 0xa0) ? undefined : codePoint;
}

/** Keysyms older than Unicode; their descriptions begin with the character in brackets. */
function legacyCharacter(keysym: number): string | undefined {
  const entry = Object.values(x11.keySyms).find(({ code }) => code === keysym);
  return /^\((.)\)/u.exec(entry?.description ?? '')?.[1];
}
