import { expect, test } from 'vitest';
import { keyModifiers } from '../../../../src/termprog/input/key-modifiers.ts';
import { encodeKittyKey, type KeyAction } from '../../../../src/termprog/input/kitty.ts';
import { recordedKeymap } from '../../../harness/recorded-keyboard.ts';

const keymap = recordedKeymap('us');
const { alt, super: superBit, numLock } = keymap.modifiers;
const STATE: Readonly<Record<string, number>> = {
  Shift: 1,
  Caps: 2,
  Ctrl: 4,
  Alt: alt,
  Super: superBit,
  Num: numLock,
};

const KEYCODES: Readonly<Record<string, number>> = {
  a: 38,
  '2': 11,
  equal: 21,
  space: 65,
  Escape: 9,
  Return: 36,
  Tab: 23,
  BackSpace: 22,
  Up: 111,
  Home: 110,
  Insert: 118,
  F1: 67,
  F3: 69,
  F5: 71,
  F13: 191,
  KP_5: 84,
  KP_Enter: 104,
  Shift_L: 50,
  Control_R: 105,
  Caps_Lock: 66,
  Print: 107,
  Cyrillic_zhe: 227,
};

const [DISAMBIGUATE, EVENTS, ALTERNATES, ALL, TEXT] = [1, 2, 4, 8, 16];

for (const [flags, key, bytes] of [
  [DISAMBIGUATE, 'a', 'a'],
  [DISAMBIGUATE, 'Shift+a', 'A'],
  [DISAMBIGUATE, 'Ctrl+a', '\x1b[97;5u'],
  [DISAMBIGUATE, 'Ctrl+Shift+a', '\x1b[97;6u'],
  [DISAMBIGUATE, 'Alt+a', '\x1b[97;3u'],
  [DISAMBIGUATE, 'Super+a', '\x1b[97;9u'],
  [DISAMBIGUATE, 'Ctrl+Num+Caps+a', '\x1b[97;5u'],
  [DISAMBIGUATE, 'Escape', '\x1b[27u'],
  [DISAMBIGUATE, 'Return', undefined],
  [DISAMBIGUATE, 'Num+Tab', undefined],
  [DISAMBIGUATE, 'Ctrl+Return', '\x1b[13;5u'],
  [DISAMBIGUATE, 'Shift+Tab', '\x1b[9;2u'],
  [DISAMBIGUATE, 'Ctrl+BackSpace', '\x1b[127;5u'],
  [DISAMBIGUATE, 'Up', '\x1b[A'],
  [DISAMBIGUATE, 'Shift+Up', '\x1b[1;2A'],
  [DISAMBIGUATE, 'Num+Up', '\x1b[1;129A'],
  [DISAMBIGUATE, 'Insert', '\x1b[2~'],
  [DISAMBIGUATE, 'F1', '\x1b[P'],
  [DISAMBIGUATE, 'F3', '\x1b[13~'],
  [DISAMBIGUATE, 'Ctrl+F5', '\x1b[15;5~'],
  [DISAMBIGUATE, 'F13', '\x1b[57376u'],
  [DISAMBIGUATE, 'Num+KP_5', '5'],
  [DISAMBIGUATE, 'KP_5', '\x1b[E'],
  [DISAMBIGUATE, 'KP_Enter', '\x1b[57414u'],
  [DISAMBIGUATE, 'Print', '\x1b[57361u'],
  [DISAMBIGUATE, 'Shift_L', ''],
  [DISAMBIGUATE, '^Up', ''],
  [DISAMBIGUATE, 'Ctrl+space', '\x1b[32;5u'],
  [DISAMBIGUATE, 'Cyrillic_zhe', 'ж'],
  [EVENTS, 'Ctrl+a', undefined],
  [EVENTS, '~Ctrl+a', '\x1b[97;5:2u'],
  [EVENTS, '^Up', '\x1b[1;1:3A'],
  [EVENTS, '~Up', '\x1b[1;1:2A'],
  [EVENTS, '^Return', ''],
  [EVENTS, 'Escape', undefined],
  [DISAMBIGUATE | EVENTS, '~a', 'a'],
  [DISAMBIGUATE | EVENTS, '^a', '\x1b[97;1:3u'],
  [DISAMBIGUATE | EVENTS, '^Shift+F3', '\x1b[13;2:3~'],
  [DISAMBIGUATE | ALTERNATES, 'Ctrl+Shift+equal', '\x1b[61:43;6u'],
  [DISAMBIGUATE | ALTERNATES, 'Ctrl+equal', '\x1b[61;5u'],
  [DISAMBIGUATE | ALTERNATES, 'Ctrl+Cyrillic_zhe', '\x1b[1078;5u'],
  [ALL, 'a', '\x1b[97u'],
  [ALL, 'Shift+a', '\x1b[97;2u'],
  [ALL, 'Caps+a', '\x1b[97;65u'],
  [ALL, 'Return', '\x1b[13u'],
  [ALL, 'Shift_L', '\x1b[57441;2u'],
  [ALL, 'Caps_Lock', '\x1b[57358u'],
  [ALL | EVENTS, '^Shift+Shift_L', '\x1b[57441;1:3u'],
  [ALL | EVENTS, '^Ctrl+Control_R', '\x1b[57448;1:3u'],
  [ALL | EVENTS, '^BackSpace', '\x1b[127;1:3u'],
  [ALL | TEXT, 'a', '\x1b[97;;97u'],
  [ALL | TEXT, 'Shift+a', '\x1b[97;2;65u'],
  [ALL | TEXT, 'Ctrl+a', '\x1b[97;5u'],
  [ALL | TEXT, 'Return', '\x1b[13u'],
  [ALL | TEXT | ALTERNATES, 'Shift+2', '\x1b[50:64;2;64u'],
  [ALL | TEXT | EVENTS, '^a', '\x1b[97;1:3u'],
  [ALL | TEXT | EVENTS, '~a', '\x1b[97;1:2;97u'],
  [ALL | TEXT, 'Num+KP_5', '\x1b[57404;129;53u'],
  [ALTERNATES | TEXT, 'Ctrl+a', undefined],
  [0, 'Up', undefined],
] as const) {
  test(`with flags ${flags} ${key} sends ${JSON.stringify(bytes) ?? 'what it sends without them'}`, () =>
    expect(send(key, flags)).toBe(bytes));
}

/** `Ctrl+Shift+a`, with `^` before a release and `~` before a repetition: what the key sends; undefined for as ever. */
function send(spelling: string, flags: number): string | undefined {
  const action: KeyAction = spelling.startsWith('^') ? 'release' : spelling.startsWith('~') ? 'repeat' : 'press';
  const words = spelling.replace(/^[\^~]/, '').split('+');
  const keycode = KEYCODES[words.at(-1) ?? ''] ?? 0;
  const state = words.slice(0, -1).reduce((bits, name) => bits | (STATE[name] ?? 0), 0);
  const stroke = {
    keycode,
    keysym: keymap.keysym(keycode, state),
    plainKeysym: keymap.plainKeysym(keycode, state),
    shiftedKeysym: keymap.shiftedKeysym(keycode, state),
    modifiers: keyModifiers(keymap.modifiers, state),
    action,
  };
  return encodeKittyKey(stroke, flags);
}
