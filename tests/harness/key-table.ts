import type { XDesktop } from './start-termprog.ts';
import type { TerminalSocket } from './terminal-socket.ts';

/** Keys of a PC keyboard by the names of their keysyms without Shift, on Xvfb's keycodes. */
const PC_KEYS: Readonly<Record<string, number>> = {
  Escape: 9,
  ...keysFrom(10, '1 2 3 4 5 6 7 8 9 0 minus equal BackSpace Tab'),
  ...keysFrom(24, 'q w e r t y u i o p bracketleft bracketright Return'),
  ...keysFrom(38, 'a s d f g h j k l semicolon apostrophe grave'),
  ...keysFrom(51, 'backslash z x c v b n m comma period slash'),
  space: 65,
  ...keysFrom(67, 'F1 F2 F3 F4 F5 F6 F7 F8 F9 F10'),
  Pause: 127,
  F11: 95,
  F12: 96,
  Print: 107,
  ...keysFrom(110, 'Home Up Prior Left Right End Down Next Insert Delete'),
  Menu: 135,
};

const KEYPAD_KEYS: Readonly<Record<string, number>> = {
  KP_Multiply: 63,
  ...keysFrom(
    79,
    'KP_Home KP_Up KP_Prior KP_Subtract KP_Left KP_Begin KP_Right KP_Add KP_End KP_Down KP_Next KP_Insert',
  ),
  KP_Delete: 91,
  KP_Enter: 104,
  KP_Divide: 106,
  KP_Equal: 125,
};

/** Keys that a PC keyboard does not have, on keycodes that are free. */
const ADDED_KEYS: Readonly<Record<string, number>> = keysFrom(
  191,
  'F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24 F25 F26 F27 F28 F29 F30 F31 F32 F33 F34 F35 Help Find Select ' +
    'Linefeed Clear KP_F1 KP_F4 KP_Tab KP_Space KP_Separator Undo eacute EuroSign Cyrillic_zhe',
);

/** Typed between two keys of the table; in every mode it sends itself. */
const SEPARATOR = { keycode: 248, keysym: 'U2603', sends: '\xe2\x98\x83' };

const NUM_LOCK_KEYCODE = 77;

/** Keys that one program types. */
const STROKES_AT_ONCE = 200;

/** Each key of the table is typed with these, and keys of the keypad once more with Num Lock on. */
export const HELD_MODIFIERS: readonly (readonly string[])[] = [
  [],
  ['shift'],
  ['alt'],
  ['shift', 'alt'],
  ['ctrl'],
  ['shift', 'ctrl'],
  ['alt', 'ctrl'],
  ['shift', 'alt', 'ctrl'],
];

export const TABLE_KEYS: Readonly<Record<string, number>> = { ...PC_KEYS, ...KEYPAD_KEYS, ...ADDED_KEYS };

/**
 * Key -> text that it sends, one character a byte: with each of the modifiers, then with Num Lock for keys of the
 * keypad.
 */
export type KeyTable = Record<string, string[]>;

function keysFrom(first: number, names: string): Record<string, number> {
  return Object.fromEntries(names.split(' ').map((name, index) => [name, first + index]));
}

/** Formats a keycode for xdotool(1) with three digits: it takes a single digit for a key's name. */
const strokeOf = (keycode: number): string => `${keycode}`.padStart(3, '0');

/** Puts the keys on the keyboard that are added to it. */
export async function prepareKeyboard(desktop: XDesktop): Promise<void> {
  await desktop.run('setxkbmap', 'us');
  const added = { ...ADDED_KEYS, [SEPARATOR.keysym]: SEPARATOR.keycode };
  await desktop.run(
    'xmodmap',
    ...Object.entries(added).flatMap(([name, keycode]) => ['-e', `keycode ${keycode} = ${name}`]),
  );
}

/** Types the whole table in a terminal that has the focus, after it was sent `setup`. */
export async function typeTable(desktop: XDesktop, socket: TerminalSocket, setup: string): Promise<KeyTable> {
  const names = Object.keys(TABLE_KEYS);
  const plain = await typeAll(desktop, socket, setup, names);
  await desktop.run('xdotool', 'key', `${NUM_LOCK_KEYCODE}`);
  const keypad = Object.keys(KEYPAD_KEYS);
  const locked = await typeAll(desktop, socket, '', keypad);
  await desktop.run('xdotool', 'key', `${NUM_LOCK_KEYCODE}`);
  return Object.fromEntries(names.map((name) => [name, [...(plain[name] ?? []), ...(locked[name] ?? [])]]));
}

async function typeAll(
  desktop: XDesktop,
  socket: TerminalSocket,
  setup: string,
  names: readonly string[],
): Promise<KeyTable> {
  const strokes = names.flatMap((name) =>
    HELD_MODIFIERS.flatMap((held) => [
      [...held, strokeOf(TABLE_KEYS[name] ?? 0)].join('+'),
      strokeOf(SEPARATOR.keycode),
    ]),
  );
  const count = strokes.length / 2;
  // The answer to the question says that the setup has been read.
  await socket.ask(`${setup}\x1b[5n`, (answer) => answer.endsWith('\x1b[0n'));
  const typing = socket.ask('', (answer) => answer.split(SEPARATOR.sends).length > count);
  // One program for all of them may take longer than a program may.
  for (let at = 0; at < strokes.length; at += STROKES_AT_ONCE)
    await desktop.run('xdotool', 'key', '--delay', '0', ...strokes.slice(at, at + STROKES_AT_ONCE));
  const sent = (await typing).split(SEPARATOR.sends);
  return Object.fromEntries(
    names.map((name, index) => [name, sent.slice(index * HELD_MODIFIERS.length, (index + 1) * HELD_MODIFIERS.length)]),
  );
}
