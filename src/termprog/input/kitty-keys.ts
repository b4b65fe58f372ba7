import { isFunctionKey } from './key-kinds.ts';
import { KEYSYM } from './keysyms.ts';

/** Number and final character that encode a key with a name; kitty keyboard protocol, functional keys. */
export interface FunctionalKey {
  number: number;
  final: string;
}

/** Keys with forms of their own; all others end in u. */
const SPECIAL: ReadonlyMap<number, FunctionalKey> = new Map(
  Object.entries({
    65379: '2~',
    65535: '3~',
    65361: '1D',
    65363: '1C',
    65362: '1A',
    65364: '1B',
    65365: '5~',
    65366: '6~',
    65360: '1H',
    65367: '1F',
    65368: '1E',
    65470: '1P',
    65471: '1Q',
    65472: '13~',
    65473: '1S',
    65474: '15~',
    65475: '17~',
    65476: '18~',
    65477: '19~',
    65478: '20~',
    65479: '21~',
    65480: '23~',
    65481: '24~',
    65437: '1E',
  }).map(([keysym, form]) => [Number(keysym), { number: Number.parseInt(form, 10), final: form.slice(-1) }]),
);

/** Numbers of keys in ranges of the private use area, and of those that are control characters. */
const NUMBERS: ReadonlyMap<number, number> = new Map([
  [KEYSYM.escape, 27],
  [KEYSYM.return, 13],
  [KEYSYM.tab, 9],
  [KEYSYM.leftTab, 9],
  [KEYSYM.backSpace, 127],
  // Caps_Lock, Scroll_Lock, Num_Lock, Print, Pause, Menu
  ...run(57_358, [0xffe5, 0xff14, 0xff7f, 0xff61, 0xff13, 0xff67]),
  // KP_0 to KP_9, Decimal, Divide, Multiply, Subtract, Add, Enter, Equal, Separator
  ...run(
    57_399,
    Array.from({ length: 10 }, (_, digit) => 0xffb0 + digit),
  ),
  ...run(57_409, [0xffae, 0xffaf, 0xffaa, 0xffad, 0xffab, 0xff8d, 0xffbd, 0xffac]),
  // KP_Left, Right, Up, Down, Prior, Next, Home, End, Insert, Delete
  ...run(57_417, [0xff96, 0xff98, 0xff97, 0xff99, 0xff9a, 0xff9b, 0xff95, 0xff9c, 0xff9e, 0xff9f]),
  // XF86AudioPlay, Pause; Stop, Forward, Rewind, Next, Prev, Record, LowerVolume, RaiseVolume, Mute
  ...run(57_428, [0x1008_ff14, 0x1008_ff31]),
  ...run(57_432, [0x1008_ff15, 0x1008_ff97, 0x1008_ff3e, 0x1008_ff17, 0x1008_ff16, 0x1008_ff1c]),
  ...run(57_438, [0x1008_ff11, 0x1008_ff13, 0x1008_ff12]),
  // Shift_L, Control_L, Alt_L, Super_L, Hyper_L, Meta_L, then those on the right, ISO_Level3_Shift, ISO_Level5_Shift
  ...run(57_441, [0xffe1, 0xffe3, 0xffe9, 0xffeb, 0xffed, 0xffe7]),
  ...run(57_447, [0xffe2, 0xffe4, 0xffea, 0xffec, 0xffee, 0xffe8, 0xfe03, 0xfe11]),
]);

const F13 = KEYSYM.f1 + 12;
const F13_NUMBER = 57_376;

/** Returns the form of a key with a name; undefined for keys with characters. */
export function functionalKey(keysym: number): FunctionalKey | undefined {
  const special = SPECIAL.get(keysym);
  if (special !== undefined) return special;
  const number = isFunctionKey(keysym) ? F13_NUMBER + keysym - F13 : NUMBERS.get(keysym);
  return number === undefined ? undefined : { number, final: 'u' };
}

/** Characters of a PC keyboard's keys in the layout of the United States, by their keycodes from 10 on; evdev. */
const BASE_LAYOUT = "1234567890-=\0\0qwertyuiop[]\0\0asdfghjkl;'`\0\\zxcvbnm,./\0\0\0 ";
const BASE_LAYOUT_FIRST = 10;

/** Returns the key's character in the layout that shortcuts are written for; undefined for keys without one. */
export function baseLayoutCharacter(keycode: number): string | undefined {
  const character = BASE_LAYOUT.charAt(keycode - BASE_LAYOUT_FIRST);
  return keycode < BASE_LAYOUT_FIRST || character === '' || character === '\0' ? undefined : character;
}

function run(first: number, keysyms: readonly number[]): [keysym: number, number: number][] {
  return keysyms.map((keysym, index) => [keysym, first + index]);
}
