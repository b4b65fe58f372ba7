import { expect, test } from 'vitest';
import { CoreKeymap } from '../../../../src/termprog/input/core-keymap.ts';
import { type Keymap, STATE } from '../../../../src/termprog/input/keymap.ts';
import { keysymNamed } from '../../../../src/termprog/input/keysyms.ts';

const sym = (name: string): number => (name === '-' ? 0 : (keysymNamed(name) ?? Number.NaN));

/** Keycodes from 10 on, one a line. */
function keymap(...lines: string[]): Keymap {
  const rows = [...lines, 'Alt_L', 'Num_Lock', 'ISO_Level3_Shift', 'Caps_Lock'].map((line) => line.split(' ').map(sym));
  const first = 10 + lines.length;
  return new CoreKeymap(rows, 10, [[], [first + 3], [], [first], [first + 1], [], [], [first + 2]]);
}
const group = (index: number): number => index << 13;
const LEVEL3 = 128;
const NUM_LOCK = 16;

test('modifiers with a meaning are found by the keys on them', () => {
  expect(keymap('a A').modifiers).toMatchObject({
    alt: STATE.mod1,
    numLock: NUM_LOCK,
    level3: LEVEL3,
    capsLock: STATE.lock,
    meta: 0,
  });
});

for (const [row, state, expected] of [
  ['a A', 0, 'a'],
  ['a A', STATE.shift, 'A'],
  ['a A', STATE.lock, 'A'],
  ['a A', STATE.lock | STATE.shift, 'a'],
  ['1 exclam', STATE.lock, '1'],
  ['1 exclam', STATE.shift, 'exclam'],
  ['a', STATE.shift, 'A'],
  ['eacute', STATE.shift, 'Eacute'],
  ['eacute 2', STATE.lock, 'Eacute'],
  ['KP_Home KP_7', 0, 'KP_Home'],
  ['KP_Home KP_7', NUM_LOCK, 'KP_7'],
  ['KP_Home KP_7', STATE.shift, 'KP_Home'],
  ['KP_Down KP_2', STATE.shift | STATE.control, 'KP_Down'],
  ['KP_Add KP_Add', STATE.shift, 'KP_Add'],
  ['KP_Home KP_7', NUM_LOCK | STATE.shift, 'KP_Home'],
  ['q Q q Q at Greek_OMEGA', LEVEL3, 'at'],
  ['q Q q Q at Greek_OMEGA', LEVEL3 | STATE.shift, 'Greek_OMEGA'],
  ['q Q - - -', LEVEL3, 'q'],
  ['q Q Cyrillic_shorti Cyrillic_SHORTI', group(1), 'Cyrillic_shorti'],
  ['q Q Cyrillic_shorti Cyrillic_SHORTI', group(1) | STATE.shift, 'Cyrillic_SHORTI'],
  ['q Q Cyrillic_shorti -', group(1) | STATE.shift, 'Cyrillic_SHORTI'],
  ['Return - - -', group(1), 'Return'],
] as const) {
  test(`${row} with state ${state} is ${expected}`, () => expect(keymap(row).keysym(10, state)).toBe(sym(expected)));
}

test('the third group of a wide mapping stands behind the first two', () => {
  const row = `z Z Cyrillic_ya Cyrillic_YA y Y ${'- '.repeat(9)}`.trim();
  expect(keymap(row).keysym(10, group(2))).toBe(sym('y'));
});

test('a keycode outside the mapping has no meaning', () => {
  expect(keymap('a A').keysym(250, 0)).toBe(0);
});

test('a key is bound by its unshifted meaning', () => {
  expect(keymap('g G').plainKeysym(10, STATE.shift)).toBe(sym('g'));
});
