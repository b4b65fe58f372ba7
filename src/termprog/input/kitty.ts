import type { KeyModifiers } from './key-modifiers.ts';
import { keyText } from './key-text.ts';
import { characterOf, isModifier, KEYSYM } from './keysyms.ts';
import { baseLayoutCharacter, functionalKey } from './kitty-keys.ts';

/** Progressive enhancements of the kitty keyboard protocol. */
export const KITTY = { disambiguate: 1, eventTypes: 2, alternateKeys: 4, allKeys: 8, text: 16 } as const;

/** Values of the event type sub-parameter. */
const ACTIONS = { press: 1, repeat: 2, release: 3 } as const;
export type KeyAction = keyof typeof ACTIONS;

/** A key that was pressed or released. */
export interface KeyStroke {
  keycode: number;
  /** Keysym with the held modifiers. */
  keysym: number;
  /** Keysyms without modifiers, and with Shift alone. */
  plainKeysym: number;
  shiftedKeysym: number;
  modifiers: KeyModifiers;
  action: KeyAction;
}

const CSI = '\x1b[';

/** Bits of the modifier parameter, which is 1 plus their sum. */
const MODIFIER_BITS = {
  shift: 1,
  alt: 2,
  control: 4,
  super: 8,
  hyper: 16,
  meta: 32,
  capsLock: 64,
  numLock: 128,
} as const;
const LOCKS = MODIFIER_BITS.capsLock | MODIFIER_BITS.numLock;

/** Modifier keys → their own bit, which their events encode as it is after the event. */
const OWN_BITS: ReadonlyMap<number, number> = new Map([
  [0xffe1, MODIFIER_BITS.shift],
  [0xffe2, MODIFIER_BITS.shift],
  [0xffe3, MODIFIER_BITS.control],
  [0xffe4, MODIFIER_BITS.control],
  [KEYSYM.altLeft, MODIFIER_BITS.alt],
  [KEYSYM.altRight, MODIFIER_BITS.alt],
  [KEYSYM.superLeft, MODIFIER_BITS.super],
  [KEYSYM.superRight, MODIFIER_BITS.super],
  [KEYSYM.hyperLeft, MODIFIER_BITS.hyper],
  [KEYSYM.hyperRight, MODIFIER_BITS.hyper],
  [KEYSYM.metaLeft, MODIFIER_BITS.meta],
  [KEYSYM.metaRight, MODIFIER_BITS.meta],
]);

/**
 * These keys keep their bytes unless flag 8, report all keys, is set, so that `reset` can be typed after a program has
 * crashed.
 */
const PLAIN_KEYS: ReadonlySet<number> = new Set([KEYSYM.return, KEYSYM.tab, KEYSYM.backSpace]);

/** Keys whose legacy encoding is a control character; Left Tab is Tab with Shift. */
const C0_KEYS: ReadonlySet<number> = new Set([...PLAIN_KEYS, KEYSYM.leftTab, KEYSYM.escape]);

/**
 * Encodes a key with the enhancements that an application requested; undefined when the legacy encoding applies.
 * @see kitty keyboard protocol
 */
export function encodeKittyKey(stroke: KeyStroke, flags: number): string | undefined {
  const { keysym, action } = stroke;
  const isRelease = action === 'release';
  const reportsAll = (flags & KITTY.allKeys) !== 0;
  if (isRelease && (flags & KITTY.eventTypes) === 0) return '';
  if ((flags & (KITTY.disambiguate | KITTY.eventTypes | KITTY.allKeys)) === 0) return undefined;
  if (isModifier(keysym) && !reportsAll) return '';
  const text = isRelease ? '' : typedText(stroke);
  if (!reportsAll && text !== '') return text;
  if (!reportsAll && hasLegacyEncoding(stroke, flags)) return isRelease ? '' : undefined;
  return escapeCodeOf(stroke, flags, text);
}

/** Whether a key without text keeps its legacy encoding (unless flag 8, report all keys, is set). */
function hasLegacyEncoding(stroke: KeyStroke, flags: number): boolean {
  const { keysym, action } = stroke;
  if (PLAIN_KEYS.has(keysym) && (modifierBits(stroke) & ~LOCKS) === 0) return true;
  if ((flags & KITTY.disambiguate) !== 0 || action !== 'press') return false;
  return C0_KEYS.has(keysym) || functionalKey(keysym) === undefined;
}

/** Returns the key's escape code. */
function escapeCodeOf(stroke: KeyStroke, flags: number, text: string): string {
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const bits = modifierBits(stroke);
  const reported = {
    action: has(KITTY.eventTypes) ? stroke.action : 'press',
    text: has(KITTY.text) && has(KITTY.allKeys) ? text : '',
  } as const;
  const functional = functionalKey(stroke.keysym);
  if (functional !== undefined) return serialize({ ...functional, ...reported, alternates: '', modifiers: bits });
  const key = keyCharacter(stroke);
  if (key === undefined) return text;
  return serialize({
    number: key.codePointAt(0) ?? 0,
    final: 'u',
    ...reported,
    alternates: has(KITTY.alternateKeys) ? alternatesOf(stroke, key) : '',
    modifiers: has(KITTY.allKeys) ? bits : bits & ~LOCKS,
  });
}

/** Returns the text that a key types; empty with modifiers that produce no text. */
function typedText({ keysym, modifiers }: KeyStroke): string {
  const { control, alt, meta, super: superKey, hyper } = modifiers;
  if (control || alt || meta || superKey || hyper) return '';
  const text = keyText(keysym, false);
  return /^\p{Cc}/u.test(text) ? '' : text;
}

/** Returns the character without modifiers, or with them if the key has no other. */
function keyCharacter({ plainKeysym, keysym }: KeyStroke): string | undefined {
  const character = characterOf(plainKeysym) ?? characterOf(keysym);
  const lower = character?.toLowerCase();
  return lower?.length === character?.length ? lower : character;
}

function alternatesOf({ shiftedKeysym, keycode, modifiers: { shift } }: KeyStroke, key: string): string {
  const shifted = shift ? characterOf(shiftedKeysym) : undefined;
  const base = baseLayoutCharacter(keycode);
  const shiftedCode = shifted === undefined || shifted === key ? '' : `${shifted.codePointAt(0)}`;
  const baseCode = base === undefined || base === key ? '' : `:${base.codePointAt(0)}`;
  return shiftedCode === '' && baseCode === '' ? '' : `:${shiftedCode}${baseCode}`;
}

function modifierBits({ keysym, modifiers, action }: KeyStroke): number {
  let bits = 0;
  for (const [name, bit] of Object.entries(MODIFIER_BITS))
    if (modifiers[name as keyof typeof MODIFIER_BITS]) bits |= bit;
  const own = OWN_BITS.get(keysym) ?? 0;
  return action === 'release' ? bits & ~own : bits | own;
}

function serialize(reported: {
  number: number;
  final: string;
  alternates: string;
  modifiers: number;
  action: KeyAction;
  text: string;
}): string {
  const action = reported.action === 'press' ? '' : `:${ACTIONS[reported.action]}`;
  const modifiers = reported.modifiers === 0 && action === '' ? '' : `${1 + reported.modifiers}${action}`;
  const text = Array.from(reported.text, (character) => character.codePointAt(0)).join(':');
  const rest = (modifiers === '' && text === '' ? '' : `;${modifiers}`) + (text === '' ? '' : `;${text}`);
  const isNumberNeeded = reported.number !== 1 || reported.alternates !== '' || rest !== '';
  return `${CSI}${isNumberNeeded ? reported.number : ''}${reported.alternates}${rest}${reported.final}`;
}
