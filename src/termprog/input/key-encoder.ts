import type { ModifiedKeys } from '../engine/modified-keys.ts';
import { isEditingKey, isFunctionKey, isMiscellaneousKey, isNamedKey, isPfKey, KEYPAD_FINALS } from './key-kinds.ts';
import type { KeyModifiers } from './key-modifiers.ts';
import { keyText } from './key-text.ts';
import { isKeypad, isModifier, KEYSYM } from './keysyms.ts';
import { HELD, isReportedAsOther, type OtherKey, reportedModifiers } from './other-keys.ts';

/** The keyboard's modes, set by the application and the user. */
export interface KeyboardModes {
  applicationCursorKeys: boolean;
  applicationKeypad: boolean;
  /** Backspace sends BS, and with Control DEL, instead of the reverse; DECBKM. */
  backarrowIsBackspace: boolean;
  /** Num Lock makes the keypad send digits in every mode. */
  altNumLockModifiers: boolean;
  altSendsEscape: boolean;
  metaSendsEscape: boolean;
  /** Alt or Meta, if it sends no ESC, adds 128 to the code of an ASCII character. */
  metaSetsEighthBit: boolean;
  modified: Readonly<ModifiedKeys>;
}

const ESC = '\x1b';
const CSI = `${ESC}[`;
const SS3 = `${ESC}O`;
const DELETE = '\x7f';
const EIGHTH_BIT = 0x80;

/**
 * Final characters of the cursor keys Home, Left, Up, Right, Down, Prior, Next, End and Begin; two are editing keys.
 */
const CURSOR_FINALS = 'HDACB  FE';

/** Numbers of function keys: those of the VT220 for F1 to F20, made up by xterm from F21 on. */
const FUNCTION_NUMBERS = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34];
const FIRST_MADE_UP_NUMBER = 42;

/** Numbers of other keys that send `CSI number ~`. */
const EDITING_NUMBERS: ReadonlyMap<number, number> = new Map([
  [KEYSYM.find, 1],
  [KEYSYM.insert, 2],
  [KEYSYM.keypadInsert, 2],
  [KEYSYM.delete, 3],
  [KEYSYM.keypadDelete, 3],
  [KEYSYM.select, 4],
  [KEYSYM.prior, 5],
  [KEYSYM.next, 6],
  [KEYSYM.help, 28],
  [KEYSYM.menu, 29],
]);

/** Offset that Shift adds to the number of a function key, and Control twice, when modifiers are not encoded. */
const FUNCTION_KEYS_OF_A_MODIFIER = 10;

/**
 * Encodes a key as UTF-8 text; empty for keys that send no bytes. The encodings are those of xterm 379 with a PC
 * keyboard. ours: decision 118
 */
export function encodeKey(keysym: number, modifiers: KeyModifiers, modes: KeyboardModes): string {
  if (keysym === KEYSYM.none || isModifier(keysym)) return '';
  const held = heldModifiers(modifiers);
  const text = textOf(keysym, held, modes);
  const key = onMainKeyboard(asLeftTab(keysym, held, modes));
  const named = encodeNamedKey(key, held, modes);
  if (named !== undefined) return named;
  if (isKeypad(key)) return encodeKeypad(key, held, { modes, isNumLocked: modifiers.numLock && text !== '' });
  return text === '' ? '' : encodeCharacter(key, text, { held, altIsMeta: modifiers.altIsMeta, modes });
}

/** Encodes a key with a name; undefined for keys that have characters. */
function encodeNamedKey(key: number, held: number, modes: KeyboardModes): string | undefined {
  if (isFunctionKey(key)) return encodeFunctionKey(key, held, modes);
  if (key === KEYSYM.leftTab) return encodeLeftTab(held, modes);
  if (isMiscellaneousKey(key) || isEditingKey(key)) {
    const number = EDITING_NUMBERS.get(key);
    return number === undefined ? '' : `${CSI}${number}${held === 0 ? '' : `;${1 + held}`}~`;
  }
  if (isPfKey(key)) return `${SS3}${held === 0 ? '' : 1 + held}${String.fromCharCode(0x50 + key - KEYSYM.keypadF1)}`;
  if (key >= KEYSYM.home && key <= KEYSYM.begin) return encodeCursorKey(key, held, modes);
  return undefined;
}

/** Returns the held modifiers as the bits of their parameter. */
export function heldModifiers({ shift, alt, control, meta }: KeyModifiers): number {
  return (shift ? HELD.shift : 0) | (alt ? HELD.alt : 0) | (control ? HELD.control : 0) | (meta ? HELD.meta : 0);
}

/** Returns the bytes that X derives from a key, as text; the mode determines those of Backspace. */
function textOf(keysym: number, held: number, modes: KeyboardModes): string {
  if (keysym === KEYSYM.backSpace && modes.backarrowIsBackspace === ((held & HELD.control) !== 0)) return DELETE;
  if (keysym === KEYSYM.leftTab) return modes.modified.otherKeys > 1 ? '\t' : '';
  return keyText(keysym, (held & HELD.control) !== 0);
}

/** Tab with Shift is Left Tab, unless all modifiers are encoded. */
function asLeftTab(keysym: number, held: number, { modified: { otherKeys } }: KeyboardModes): number {
  if (keysym !== KEYSYM.tab || otherKeys > 1) return keysym;
  const isShifted = otherKeys === 0 ? (held & HELD.shift) !== 0 : held === HELD.shift;
  return isShifted ? KEYSYM.leftTab : keysym;
}

/** Maps cursor keys of the keypad to the main ones, which send the same. */
function onMainKeyboard(keysym: number): number {
  const isOfKeypad = keysym >= KEYSYM.keypadHome && keysym <= KEYSYM.keypadBegin;
  return isOfKeypad ? keysym - KEYSYM.keypadHome + KEYSYM.home : keysym;
}

/**
 * Formats a sequence with modifiers as their resource says: 0 and 1 put them alone, 2 as the second parameter, 3 after
 * `>`.
 */
function modifiedSequence(introducer: string, held: number, how: number, final: string, number?: number): string {
  const isReported = held !== 0 && how >= 0;
  const parameters: number[] = number === undefined ? [] : [number];
  if (isReported && how > 1 && parameters.length === 0) parameters.push(1);
  if (isReported) parameters.push(1 + held);
  const start = isReported && how > 0 ? CSI : introducer;
  return `${start}${isReported && how > 2 ? '>' : ''}${parameters.join(';')}${final}`;
}

function encodeFunctionKey(key: number, held: number, { modified: { functionKeys } }: KeyboardModes): string {
  let index = key - KEYSYM.f1;
  if (functionKeys < 0) {
    if ((held & HELD.shift) !== 0) index += FUNCTION_KEYS_OF_A_MODIFIER;
    if ((held & HELD.control) !== 0) index += 2 * FUNCTION_KEYS_OF_A_MODIFIER;
  }
  if (index < 4) return modifiedSequence(SS3, held, functionKeys, String.fromCharCode(0x50 + index));
  const number = FUNCTION_NUMBERS[index] ?? FIRST_MADE_UP_NUMBER + index - FUNCTION_NUMBERS.length;
  return modifiedSequence(CSI, held, functionKeys, '~', number);
}

function encodeLeftTab(held: number, { modified: { otherKeys, formatOtherKeys } }: KeyboardModes): string {
  const isReported = otherKeys > 1 && (held & ~HELD.shift) !== 0;
  return isReported ? otherSequence('\t', held, formatOtherKeys) : `${CSI}Z`;
}

function encodeCursorKey(key: number, held: number, modes: KeyboardModes): string {
  const final = CURSOR_FINALS.charAt(key - KEYSYM.home);
  return modifiedSequence(modes.applicationCursorKeys ? SS3 : CSI, held, modes.modified.cursorKeys, final);
}

/** Encodes keys of the keypad that have a character; Alt never puts ESC before it, and Control never changes it. */
function encodeKeypad(
  key: number,
  held: number,
  { modes, isNumLocked }: { modes: KeyboardModes; isNumLocked: boolean },
): string {
  if (!modes.applicationKeypad || (isNumLocked && modes.altNumLockModifiers)) return keyText(key, false);
  const final = KEYPAD_FINALS.get(key);
  return final === undefined ? '' : `${SS3}${held === 0 ? '' : 1 + held}${final}`;
}

/** A character key and the modifiers that it is pressed with. */
interface CharacterPress {
  held: number;
  altIsMeta: boolean;
  modes: KeyboardModes;
}

function encodeCharacter(key: number, text: string, press: CharacterPress): string {
  const { held, modes } = press;
  const { modified } = modes;
  if (modified.otherKeys > 0) {
    const other: OtherKey = { key, text, ...press };
    const reported = isReportedAsOther(other) ? reportedModifiers(other) : 0;
    if (reported !== 0)
      return otherSequence(isNamedKey(key) ? text : characterAlone(key), reported, modified.formatOtherKeys);
  }
  if (isEscaped(press)) return ESC + controlled(text, held);
  const setsEighthBit = (held & (HELD.alt | HELD.meta)) !== 0 && modes.metaSetsEighthBit;
  const code = text.charCodeAt(0);
  return setsEighthBit && code < EIGHTH_BIT ? String.fromCharCode(code | EIGHTH_BIT) : controlled(text, held);
}

/** Whether Alt or Meta is encoded as ESC. */
function isEscaped({ held, altIsMeta, modes: { altSendsEscape, metaSendsEscape } }: CharacterPress): boolean {
  if ((held & HELD.alt) !== 0 && (altSendsEscape || (altIsMeta && metaSendsEscape))) return true;
  return (held & HELD.meta) !== 0 && metaSendsEscape;
}

/** Control with ? is DEL. */
const controlled = (text: string, held: number): string =>
  text === '?' && (held & HELD.control) !== 0 ? DELETE : text;

/** Returns the character of a key, without the effect of Control. */
const characterAlone = (key: number): string => keyText(key, false);

function otherSequence(character: string, held: number, format: number): string {
  const code = character.codePointAt(0) ?? 0;
  return format > 0 ? `${CSI}${code};${1 + held}u` : `${CSI}27;${1 + held};${code}~`;
}
