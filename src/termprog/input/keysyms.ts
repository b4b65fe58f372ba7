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
  isoLock: 0xfe01,
  leftTab: 0xfe20,
  home: 0xff50,
  up: 0xff52,
  down: 0xff54,
  prior: 0xff55,
  next: 0xff56,
  begin: 0xff58,
  select: 0xff60,
  insert: 0xff63,
  find: 0xff68,
  menu: 0xff67,
  help: 0xff6a,
  break: 0xff6b,
  multiKey: 0xff20,
  deadFirst: 0xfe50,
  deadLast: 0xfeff,
  level3Shift: 0xfe03,
  numLock: 0xff7f,
  capsLock: 0xffe5,
  shiftLock: 0xffe6,
  keypadSpace: 0xff80,
  keypadTab: 0xff89,
  keypadEnter: 0xff8d,
  keypadF1: 0xff91,
  keypadF4: 0xff94,
  keypadHome: 0xff95,
  keypadBegin: 0xff9d,
  keypadInsert: 0xff9e,
  keypadDelete: 0xff9f,
  keypadEqual: 0xffbd,
  keypadMultiply: 0xffaa,
  keypad9: 0xffb9,
  f1: 0xffbe,
  f35: 0xffe0,
  altLeft: 0xffe9,
  altRight: 0xffea,
  metaLeft: 0xffe7,
  metaRight: 0xffe8,
  hyperLeft: 0xffed,
  hyperRight: 0xffee,
  superLeft: 0xffeb,
  superRight: 0xffec,
  modeSwitch: 0xff7e,
  delete: 0xffff,
} as const;

/** Keysyms from here on carry a Unicode code point in their low bits. */
const UNICODE_FIRST = 0x0100_0000;
const UNICODE_LAST = 0x0110_ffff;

/** Whether a key is on the numeric keypad. */
export function isKeypad(keysym: number): boolean {
  return keysym >= KEYSYM.keypadSpace && keysym <= KEYSYM.keypadEqual;
}

/** Whether a key is a modifier or lock key, which sends no bytes. */
export function isModifier(keysym: number): boolean {
  return (
    (keysym >= 0xffe1 && keysym <= 0xffee) ||
    (keysym >= 0xfe01 && keysym <= 0xfe0f) ||
    keysym === KEYSYM.numLock ||
    keysym === KEYSYM.modeSwitch
  );
}

/** Returns the character of a keysym; undefined for keys without one. */
export function characterOf(keysym: number): string | undefined {
  if ((keysym >= 0x20 && keysym <= 0x7e) || (keysym >= 0xa0 && keysym <= 0xff)) return String.fromCharCode(keysym);
  if (keysym >= UNICODE_FIRST && keysym <= UNICODE_LAST) return String.fromCodePoint(keysym - UNICODE_FIRST);
  if (keysym === KEYSYM.keypadSpace) return ' ';
  if (keysym === KEYSYM.keypadEqual) return '=';
  if (keysym >= KEYSYM.keypadMultiply && keysym <= KEYSYM.keypad9) return String.fromCharCode(keysym & 0x7f);
  if (keysym < 0x100 || keysym >= 0xfd00) return undefined;
  return legacyCharacters().get(keysym);
}

/** Returns the keysym of a name such as `Prior`, `a` or `U20AC`; undefined for an unknown name. */
export function keysymNamed(name: string): number | undefined {
  if (/^[ -~]$/.test(name)) return name.charCodeAt(0);
  return x11.keySyms[`XK_${name}`]?.code ?? vendorKeysym(name) ?? keysymOfCodePoint(name);
}

/** Parses `U20AC` as the X library does: the characters of Latin 1 have their own keysyms. */
function keysymOfCodePoint(name: string): number | undefined {
  const digits = /^U([0-9a-f]{4,6})$/i.exec(name)?.[1];
  if (digits === undefined) return undefined;
  const codePoint = Number.parseInt(digits, 16);
  if (codePoint > UNICODE_LAST - UNICODE_FIRST) return undefined;
  if (codePoint >= 0x100) return UNICODE_FIRST + codePoint;
  return codePoint < 0x20 || (codePoint > 0x7e && codePoint < 0xa0) ? undefined : codePoint;
}

/** Returns the keysym of a letter's capital; other keysyms are unchanged. */
export function capitalOf(keysym: number): number {
  const character = characterOf(keysym);
  const upper = character?.toUpperCase();
  if (character === undefined || upper === undefined || upper === character || upper.length !== character.length)
    return keysym;
  const codePoint = upper.codePointAt(0) ?? 0;
  if (keysym < 0x100 && codePoint < 0x100) return codePoint;
  // A keysym of a legacy set has its capital in the same set, or, if that lacks it, as a Unicode keysym.
  const set = keysym & ~0xff;
  const isOfSet = keysym >= 0x100 && keysym < UNICODE_FIRST;
  for (let other = set; isOfSet && other < set + 0x100; other += 1) if (characterOf(other) === upper) return other;
  return codePoint < 0x100 ? codePoint : UNICODE_FIRST + codePoint;
}

/** Ranges of keysyms whose descriptions name no character: Thai, Hangul; keysymdef.h gives the first of each. */
const UNDESCRIBED: readonly (readonly [first: number, last: number, codePoint: number])[] = [
  [0xdde, 0xdde, 0xe3e],
  [0xea1, 0xed3, 0x3131],
  [0xed4, 0xeee, 0x11a8],
  [0xeef, 0xeef, 0x316d],
  [0xef0, 0xef0, 0x3171],
  [0xef1, 0xef1, 0x3178],
  [0xef2, 0xef2, 0x317f],
  [0xef3, 0xef3, 0x3181],
  [0xef4, 0xef4, 0x3184],
  [0xef5, 0xef5, 0x3186],
  [0xef6, 0xef7, 0x318d],
  [0xef8, 0xef8, 0x11eb],
  [0xef9, 0xef9, 0x11f0],
  [0xefa, 0xefa, 0x11f9],
];

/** Characters of the keysyms that are older than Unicode; empty until the first such key is typed. */
const LEGACY_CHARACTERS = new Map<number, string>();

function legacyCharacters(): ReadonlyMap<number, string> {
  if (LEGACY_CHARACTERS.size === 0) readLegacyCharacters(LEGACY_CHARACTERS);
  return LEGACY_CHARACTERS;
}

/** Descriptions begin with the character in brackets, in two pairs if Unicode has it with another name. */
function readLegacyCharacters(characters: Map<number, string>): void {
  for (const { code, description } of Object.values(x11.keySyms)) {
    const character = /^\(\(?(.)\)/u.exec(description ?? '')?.[1];
    if (character !== undefined && code >= 0x100 && code < 0xfd00) characters.set(code, character);
  }
  for (const [first, last, codePoint] of UNDESCRIBED)
    for (let code = first; code <= last; code += 1)
      characters.set(code, String.fromCodePoint(codePoint + code - first));
}
