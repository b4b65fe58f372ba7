import { expect, test } from 'vitest';
import { INITIAL_MODIFIED_KEYS } from '../../../../src/termprog/engine/modified-keys.ts';
import { encodeKey } from '../../../../src/termprog/input/key-encoder.ts';
import { keysymNamed } from '../../../../src/termprog/input/keysyms.ts';

for (const [key, bytes] of [
  ['a', 'a'],
  ['eacute', 'é'],
  ['Cyrillic_ZHE', 'Ж'],
  ['EuroSign', '€'],
  ['U1F600', '😀'],
  ['Return', '\r'],
  ['KP_Enter', '\r'],
  ['Linefeed', '\n'],
  ['Tab', '\t'],
  ['Shift+ISO_Left_Tab', '\x1b[Z'],
  ['Escape', '\x1b'],
  ['BackSpace', '\x7f'],
  ['Ctrl+BackSpace', '\b'],
  ['Alt+BackSpace', '\x1b\x7f'],
  ['Ctrl+a', '\x01'],
  ['Ctrl+space', '\0'],
  ['Ctrl+2', '\0'],
  ['Ctrl+3', '\x1b'],
  ['Ctrl+8', '\x7f'],
  ['Ctrl+slash', '\x1f'],
  ['Ctrl+1', '1'],
  ['Alt+x', '\x1bx'],
  ['Alt+Ctrl+x', '\x1b\x18'],
  ['Up', '\x1b[A'],
  ['Down', '\x1b[B'],
  ['Right', '\x1b[C'],
  ['Left', '\x1b[D'],
  ['Home', '\x1b[H'],
  ['End', '\x1b[F'],
  ['Shift+Up', '\x1b[1;2A'],
  ['Alt+Up', '\x1b[1;3A'],
  ['Ctrl+Up', '\x1b[1;5A'],
  ['Ctrl+Alt+Shift+Up', '\x1b[1;8A'],
  ['Insert', '\x1b[2~'],
  ['Delete', '\x1b[3~'],
  ['Prior', '\x1b[5~'],
  ['Next', '\x1b[6~'],
  ['Ctrl+Delete', '\x1b[3;5~'],
  ['F1', '\x1bOP'],
  ['F4', '\x1bOS'],
  ['Shift+F1', '\x1b[1;2P'],
  ['F5', '\x1b[15~'],
  ['F6', '\x1b[17~'],
  ['F10', '\x1b[21~'],
  ['F11', '\x1b[23~'],
  ['F12', '\x1b[24~'],
  ['F20', '\x1b[34~'],
  ['Ctrl+F5', '\x1b[15;5~'],
  ['KP_5', '5'],
  ['KP_Home', '\x1b[H'],
  ['KP_Add', '+'],
  ['KP_Begin', '\x1b[E'],
  ['Ctrl+Shift+KP_Down', '\x1b[1;6B'],
  ['Ctrl+Shift+KP_Insert', '\x1b[2;6~'],
  ['Ctrl+KP_2', '2'],
  ['Ctrl+KP_8', '8'],
  ['Ctrl+Shift+KP_Divide', '/'],
  ['Shift_L', ''],
  ['Num_Lock', ''],
  ['Pause', ''],
] as const) {
  test(`${key} sends ${JSON.stringify(bytes)}`, () => expect(send(key)).toBe(bytes));
}

for (const [key, bytes] of [
  ['Up', '\x1bOA'],
  ['Home', '\x1bOH'],
  ['KP_Left', '\x1bOD'],
  ['Shift+Up', '\x1b[1;2A'],
  ['Delete', '\x1b[3~'],
] as const) {
  test(`${key} with application cursor keys sends ${JSON.stringify(bytes)}`, () =>
    expect(send(key, { cursor: true })).toBe(bytes));
}

for (const [key, bytes] of [
  ['KP_5', '\x1bOu'],
  ['KP_0', '\x1bOp'],
  ['KP_Add', '\x1bOk'],
  ['KP_Enter', '\x1bOM'],
  ['NumLock+KP_5', '5'],
  ['5', '5'],
] as const) {
  test(`${key} with an application keypad sends ${JSON.stringify(bytes)}`, () =>
    expect(send(key, { keypad: true })).toBe(bytes));
}

/** Returns what a key such as `Ctrl+Shift+Up` sends. */
function send(spelling: string, modes: { cursor?: boolean; keypad?: boolean } = {}): string {
  const words = spelling.split('+');
  const name = words.at(-1) ?? '';
  const modifiers = {
    shift: words.includes('Shift'),
    alt: words.includes('Alt'),
    control: words.includes('Ctrl'),
    numLock: words.includes('NumLock'),
    meta: false,
    super: false,
    hyper: false,
    capsLock: false,
    altIsMeta: true,
  };
  return encodeKey(keysymNamed(name) ?? 0, modifiers, {
    applicationCursorKeys: modes.cursor ?? false,
    applicationKeypad: modes.keypad ?? false,
    backarrowIsBackspace: false,
    altNumLockModifiers: true,
    altSendsEscape: true,
    metaSendsEscape: false,
    metaSetsEighthBit: true,
    modified: INITIAL_MODIFIED_KEYS,
  });
}
