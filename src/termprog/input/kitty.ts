import type { KeyModifiers } from './key-modifiers.ts';
import { keyText } from './key-text.ts';
import { characterOf, isModifier, KEYSYM } from './keysyms.ts';
import { baseLayoutCharacter, functionalKey } from './kitty-keys.ts';

/** Progressive enhancements of the kitty keyboard protocol. */
export const KITTY = { disambiguate: 1, eventTypes: 2, alternateKeys: 4, allKeys: 8, text: 16 } as const;

/** Values of the sub-parameter that tells what happened to a key. */
const ACTIONS = { press: 1, repeat: 2, release: 3 } as const;
export type KeyAction = keyof typeof ACTIONS;

/** A key that was pressed or released. */
export interface KeyStroke {
  keycode: number;
  /** With the modifiers held. */
  keysym: number;
  /** Without modifiers, and with Shift alone. */
  plainKeysym: number;
  shiftedKeysym: number;
  modifiers: KeyModifiers;
  action: KeyAction;
}

const CSI = '\x1b[';

/** Bits of the parameter that tells modifiers, less 1. */
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

/** Keys of modifiers, which an event of themselves tells as it leaves them. */
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

/** They keep their bytes unless all keys are told, so that `reset` can be typed after a program that crashed. */
const PLAIN_KEYS: ReadonlySet<number> = new Set([KEYSYM.return, KEYSYM.tab, KEYSYM.backSpace]);

/** Keys whose old encoding is a control character; Left Tab is Tab with Shift. */
const C0_KEYS: ReadonlySet<number> = new Set([...PLAIN_KEYS, KEYSYM.leftTab, KEYSYM.escape]);

/**
 * What a key sends when an application has asked for enhancements; undefined when it is as without them.
 * @see kitty keyboard protocol
 */
export function encodeKittyKey(stroke: KeyStroke, flags: number): string | undefined {
  const { keysym, action } = stroke;
  const isRelease = action === 'release';
  const tellsAll = (flags & KITTY.allKeys) !== 0;
  if (isRelease && (flags & KITTY.eventTypes) === 0) return '';
  if ((flags & (KITTY.disambiguate | KITTY.eventTypes | KITTY.allKeys)) === 0) return undefined;
  if (isModifier(keysym) && !tellsAll) return '';
  const text = isRelease ? '' : typedText(stroke);
  if (!tellsAll && text !== '') return text;
  if (!tellsAll && isAsEver(stroke, flags)) return isRelease ? '' : undefined;
  return tellKey(stroke, flags, text);
}

/** Whether a key without text sends, as long as not all keys are told, what it sends without the protocol. */
function isAsEver(stroke: KeyStroke, flags: number): boolean {
  const { keysym, action } = stroke;
  if (PLAIN_KEYS.has(keysym) && (modifierBits(stroke) & ~LOCKS) === 0) return true;
  if ((flags & KITTY.disambiguate) !== 0 || action !== 'press') return false;
  return C0_KEYS.has(keysym) || functionalKey(keysym) === undefined;
}

/** The key's escape code. */
function tellKey(stroke: KeyStroke, flags: number, text: string): string {
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const bits = modifierBits(stroke);
  const told = {
    action: has(KITTY.eventTypes) ? stroke.action : 'press',
    text: has(KITTY.text) && has(KITTY.allKeys) ? text : '',
  } as const;
  const functional = functionalKey(stroke.keysym);
  if (functional !== undefined) return serialize({ ...functional, ...told, alternates: '', modifiers: bits });
  const key = keyCharacter(stroke);
  if (key === undefined) return text;
  return serialize({
    number: key.codePointAt(0) ?? 0,
    final: 'u',
    ...told,
    alternates: has(KITTY.alternateKeys) ? alternatesOf(stroke, key) : '',
    modifiers: has(KITTY.allKeys) ? bits : bits & ~LOCKS,
  });
}

/** The text that a key types: with modifiers that make no text it types none. */
function typedText({ keysym, modifiers }: KeyStroke): string {
  const { control, alt, meta, super: superKey, hyper } = modifiers;
  if (control || alt || meta || superKey || hyper) return '';
  const text = keyText(keysym, false);
  return /^\p{Cc}/u.test(text) ? '' : text;
}

/** The character without modifiers; of keys that only have one with them, that one. */
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

function serialize(told: {
  number: number;
  final: string;
  alternates: string;
  modifiers: number;
  action: KeyAction;
  text: string;
}): string {
  const action = told.action === 'press' ? '' : `:${ACTIONS[told.action]}`;
  const modifiers = told.modifiers === 0 && action === '' ? '' : `${1 + told.modifiers}${action}`;
  const text = Array.from(told.text, (character) => character.codePointAt(0)).join(':');
  const rest = (modifiers === '' && text === '' ? '' : `;${modifiers}`) + (text === '' ? '' : `;${text}`);
  const isNumberNeeded = told.number !== 1 || told.alternates !== '' || rest !== '';
  return `${CSI}${isNumberNeeded ? told.number : ''}${told.alternates}${rest}${told.final}`;
}
