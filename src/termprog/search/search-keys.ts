import { isModifier, KEYSYM } from '../input/keysyms.ts';

/** Effect of a key on the search. */
export type SearchCommand =
  | 'older'
  | 'newer'
  | 'copy'
  | 'cancel'
  | 'dropCharacter'
  | 'dropWord'
  | 'clear'
  | 'paste'
  | 'nothing';

/** Keysyms; keysymdef.h */
const KEYS: Readonly<Record<number, SearchCommand>> = {
  65362: 'older', // Up
  65431: 'older', // KP_Up
  65364: 'newer', // Down
  65433: 'newer', // KP_Down
  [KEYSYM.return]: 'copy',
  [KEYSYM.keypadEnter]: 'copy',
  [KEYSYM.escape]: 'cancel',
  [KEYSYM.backSpace]: 'dropCharacter',
};

const F3 = 0xffc0;
const INSERT = 0xff63;
const KEYPAD_INSERT = 0xff9e;

/** Letters with Control, as in shells. */
const CONTROL_LETTERS: Readonly<Record<string, SearchCommand>> = {
  c: 'cancel',
  g: 'cancel',
  '[': 'cancel',
  h: 'dropCharacter',
  w: 'dropWord',
  u: 'clear',
  j: 'copy',
  m: 'copy',
};

export interface HeldModifiers {
  shift: boolean;
  control: boolean;
  /** Alt, Meta, Super or Hyper. */
  other: boolean;
}

/**
 * Returns the command of a key; undefined for a key that is typed as text.
 * @param character of the keysym, if it has one
 */
export function searchCommand(
  keysym: number,
  character: string | undefined,
  { shift, control, other }: HeldModifiers,
): SearchCommand | undefined {
  if (isModifier(keysym)) return 'nothing';
  if (keysym === F3) return shift ? 'older' : 'newer';
  if (keysym === INSERT || keysym === KEYPAD_INSERT) return shift ? 'paste' : 'nothing';
  const command = KEYS[keysym];
  if (command !== undefined) return command;
  if (other || character === undefined) return 'nothing';
  if (!control) return undefined;
  return (shift ? undefined : CONTROL_LETTERS[character.toLowerCase()]) ?? 'nothing';
}
