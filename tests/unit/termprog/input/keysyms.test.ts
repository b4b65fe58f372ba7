import { expect, test } from 'vitest';
import { capitalOf, characterOf, keysymNamed } from '../../../../src/termprog/input/keysyms.ts';

for (const [name, character] of [
  ['eacute', 'é'],
  ['Aogonek', 'Ą'],
  ['kra', 'ĸ'],
  ['overline', '‾'],
  ['kana_KA', 'カ'],
  ['Arabic_beh', 'ب'],
  ['Cyrillic_zhe', 'ж'],
  ['Ukrainian_yi', 'ї'],
  ['Greek_alpha', 'α'],
  ['topleftradical', '┌'],
  ['permille', '‰'],
  ['hebrew_bet', 'ב'],
  ['Thai_kokai', 'ก'],
  ['Hangul_Kiyeog', 'ㄱ'],
  ['Hangul_I', 'ㅣ'],
  ['Georgian_an', 'ა'],
  ['OE', 'Œ'],
  ['EuroSign', '€'],
  ['U1F600', '😀'],
  ['U20AC', '€'],
  ['KP_7', '7'],
] as const) {
  test(`the key ${name} has the character ${character}`, () =>
    expect(characterOf(keysymNamed(name) ?? 0)).toBe(character));
}

test('keysyms that stand for no character have none', () => {
  for (const name of ['Up', 'dead_acute', 'Multi_key', 'F1', 'Shift_L'])
    expect(characterOf(keysymNamed(name) ?? 0)).toBeUndefined();
});

for (const [small, capital] of [
  ['a', 'A'],
  ['eacute', 'Eacute'],
  ['aogonek', 'Aogonek'],
  ['Cyrillic_zhe', 'Cyrillic_ZHE'],
  ['Ukrainian_yi', 'Ukrainian_YI'],
  ['Greek_alpha', 'Greek_ALPHA'],
  ['oe', 'OE'],
  ['ydiaeresis', 'Ydiaeresis'],
  ['U0561', 'U0531'],
  ['ssharp', 'ssharp'],
  ['1', '1'],
] as const) {
  test(`the capital of ${small} is ${capital}`, () =>
    expect(characterOf(capitalOf(keysymNamed(small) ?? 0))).toBe(characterOf(keysymNamed(capital) ?? 0)));
}
