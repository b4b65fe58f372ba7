import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encodeKey, type KeyboardModes } from '../../../../src/termprog/input/key-encoder.ts';
import { keyModifiers } from '../../../../src/termprog/input/key-modifiers.ts';
import { KEY_MODES } from '../../../harness/key-modes.ts';
import { HELD_MODIFIERS, type KeyTable, TABLE_KEYS } from '../../../harness/key-table.ts';
import { recordedKeymap } from '../../../harness/recorded-keyboard.ts';
import { startEngine } from '../../../harness/terminal-engine.ts';

const recorded = JSON.parse(readFileSync('tests/golden/termprog/keys/xterm-379.json', 'utf8')) as Record<
  string,
  KeyTable
>;
const keymap = recordedKeymap('us');
const STATE_BITS: Readonly<Record<string, number>> = { shift: 1, ctrl: 4, alt: keymap.modifiers.alt };

/** Keys whose keysyms are beyond Latin-1: xterm rings the bell where a sequence would contain their character. */
const BEYOND_LATIN_1 = ['EuroSign', 'Cyrillic_zhe'];

const likeXterm = (key: string, expected: readonly string[], ours: readonly string[]): readonly string[] =>
  BEYOND_LATIN_1.includes(key) ? ours.map((text, index) => (expected[index] === '' ? '' : text)) : ours;

test('characters beyond Latin-1 report their modifiers by their code point', () => {
  const modes = modesAfter('\x1b[>4;2m');
  expect(sent('Cyrillic_zhe', 8, modes).slice(4, 6)).toEqual(['\x1b[27;5;1078~', '\x1b[27;6;1046~']);
  expect(sent('EuroSign', 8, modes)[2]).toBe('\x1b[27;3;8364~');
});

for (const { name, setup } of KEY_MODES) {
  test(`keys send what they send in xterm: ${name}`, () => {
    const modes = modesAfter(setup);
    const table = { ...recorded['new'], ...recorded[name] };
    expect(Object.keys(table)).toHaveLength(Object.keys(TABLE_KEYS).length);
    const ours = Object.fromEntries(
      Object.entries(table).map(([key, expected]) => [
        key,
        likeXterm(key, expected, sent(key, expected.length, modes)),
      ]),
    );
    expect(ours).toEqual(table);
  });
}

function modesAfter(setup: string): KeyboardModes {
  const { engine } = startEngine();
  engine.write(Buffer.from(setup));
  const { modes, modifiedKeys } = engine;
  return {
    applicationCursorKeys: modes.get('applicationCursorKeys'),
    applicationKeypad: modes.get('applicationKeypad'),
    backarrowIsBackspace: modes.get('backarrowIsBackspace'),
    altNumLockModifiers: modes.get('altNumLockModifiers'),
    altSendsEscape: modes.get('altSendsEscape'),
    metaSendsEscape: modes.get('metaSendsEscape'),
    metaSetsEighthBit: modes.get('metaSetsEighthBit'),
    modified: modifiedKeys,
  };
}

/** Returns the text that the key sends with each of the modifiers, one character a byte. */
function sent(name: string, count: number, modes: KeyboardModes): string[] {
  return Array.from({ length: count }, (_, index) => {
    const held = HELD_MODIFIERS[index % HELD_MODIFIERS.length] ?? [];
    const numLock = index < HELD_MODIFIERS.length ? 0 : keymap.modifiers.numLock;
    const state = held.reduce((bits, modifier) => bits | (STATE_BITS[modifier] ?? 0), numLock);
    const keysym = keymap.keysym(TABLE_KEYS[name] ?? 0, state);
    return Buffer.from(encodeKey(keysym, keyModifiers(keymap.modifiers, state), modes), 'utf8').toString('latin1');
  });
}
