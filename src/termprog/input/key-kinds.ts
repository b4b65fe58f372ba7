import { KEYSYM } from './keysyms.ts';

/** F1 to F35. */
export const isFunctionKey = (keysym: number): boolean => keysym >= KEYSYM.f1 && keysym <= KEYSYM.f35;

/** Select to Break, with Print, Undo, Find, Help and Menu. */
export const isMiscellaneousKey = (keysym: number): boolean => keysym >= KEYSYM.select && keysym <= KEYSYM.break;

const EDITING_KEYS: ReadonlySet<number> = new Set([
  KEYSYM.delete,
  KEYSYM.prior,
  KEYSYM.next,
  KEYSYM.insert,
  KEYSYM.find,
  KEYSYM.select,
  KEYSYM.keypadDelete,
  KEYSYM.keypadInsert,
  KEYSYM.leftTab,
]);

export const isEditingKey = (keysym: number): boolean => EDITING_KEYS.has(keysym);

/** PF1 to PF4 on the keypad. */
export const isPfKey = (keysym: number): boolean => keysym >= KEYSYM.keypadF1 && keysym <= KEYSYM.keypadF4;

/** Keys with names instead of characters, including those such as Return that send one. */
export const isNamedKey = (keysym: number): boolean => keysym >= KEYSYM.isoLock && keysym <= KEYSYM.delete;

/** Final characters of the keypad in application mode: 64 above those of the keys, except for two. xterm */
export const KEYPAD_FINALS: ReadonlyMap<number, string> = new Map([
  [KEYSYM.keypadSpace, ' '],
  [KEYSYM.keypadEqual, 'X'],
  ...[KEYSYM.keypadTab, KEYSYM.keypadEnter, ...range(KEYSYM.keypadMultiply, KEYSYM.keypad9)].map(
    (keysym): [number, string] => [keysym, String.fromCharCode((keysym & 0x7f) + 0x40)],
  ),
]);

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
