import { expect, test } from 'vitest';
import { keysymNamed } from '../../../../src/termprog/input/keysyms.ts';
import { XkbKeymap } from '../../../../src/termprog/input/xkb-keymap.ts';
import { type KeySymbols, readMap } from '../../../../src/termprog/x11/xkb.ts';
import { recordedKeymap } from '../../../harness/recorded-keyboard.ts';

const names = (spelling: string): number[] => spelling.split(' ').map((name) => keysymNamed(name) ?? 0);

/** Types: one level; Shift; letters by Shift and Lock; four levels by Shift and Mod5. */
const TYPES = [
  { mask: 0, levels: new Map() },
  { mask: 1, levels: new Map([[1, 1]]) },
  {
    mask: 3,
    levels: new Map([
      [1, 1],
      [2, 1],
    ]),
  },
  {
    mask: 0x81,
    levels: new Map([
      [1, 1],
      [0x80, 2],
      [0x81, 3],
    ]),
  },
];

function keymap(key: Partial<KeySymbols>): XkbKeymap {
  const whole = { types: [0, 0, 0, 0], groupInfo: 1, width: 1, keysyms: [], ...key };
  const capsLock = { types: [0, 0, 0, 0], groupInfo: 1, width: 1, keysyms: names('Caps_Lock') };
  const keys = [whole, capsLock];
  return new XkbKeymap({
    types: TYPES,
    firstKeycode: 10,
    key: (index) => keys[index],
    modifiers: new Map([[11, 2]]),
  });
}

const group = (index: number): number => index << 13;

for (const [types, width, groupInfo, keysyms, state, expected] of [
  [[0], 1, 1, 'Return', 0xff, 'Return'],
  [[1], 2, 1, '2 at', 1, 'at'],
  [[1], 2, 1, '2 at', 2, '2'],
  [[2], 2, 1, 'a A', 2, 'A'],
  [[2], 2, 1, 'a A', 3, 'a'],
  [[1], 2, 1, 'eacute 2', 2, 'Eacute'],
  [[3], 4, 1, 'q Q at Greek_OMEGA', 0x80, 'at'],
  [[3], 4, 1, 'q Q at Greek_OMEGA', 0x81, 'Greek_OMEGA'],
  [[2, 2], 2, 2, 'a A Cyrillic_ef Cyrillic_EF', group(1) | 1, 'Cyrillic_EF'],
  [[2, 2], 2, 2, 'a A Cyrillic_ef Cyrillic_EF', group(2), 'a'],
  [[2, 2], 2, 0x42, 'a A Cyrillic_ef Cyrillic_EF', group(3), 'Cyrillic_ef'],
  [[2, 2], 2, 0x92, 'a A Cyrillic_ef Cyrillic_EF', group(2), 'Cyrillic_ef'],
  [[2, 2], 2, 0xb2, 'a A Cyrillic_ef Cyrillic_EF', group(2), 'a'],
] as const) {
  test(`a key with ${keysyms} and state ${state} is ${expected}`, () => {
    const map = keymap({ types, width, groupInfo, keysyms: names(keysyms) });
    expect(map.keysym(10, state)).toBe(keysymNamed(expected));
  });
}

test('a key without groups, and a keycode outside of the keyboard, have no meaning', () => {
  expect(keymap({ groupInfo: 0 }).keysym(10, 0)).toBe(0);
  expect(keymap({}).keysym(250, 0)).toBe(0);
});

test('modifiers with a meaning are found by the keys on them', () => {
  expect(recordedKeymap('us').modifiers).toMatchObject({ alt: 8, meta: 8, super: 64, numLock: 16, capsLock: 2 });
});

test('an answer that is cut short is refused', () => {
  expect(() => readMap(Buffer.alloc(20))).toThrow(RangeError);
  const body = Buffer.alloc(32);
  body[7] = 3;
  expect(() => readMap(body)).toThrow(RangeError);
});
