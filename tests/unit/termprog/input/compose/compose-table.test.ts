import { expect, test } from 'vitest';
import { type ComposeKey, ComposeTable } from '../../../../../src/termprog/input/compose/compose-table.ts';
import { processorMs } from '../../../../harness/processor-time.ts';

const SEQUENCES = 32_768;

const key = (keysym: number, state: Partial<ComposeKey> = {}): ComposeKey => ({
  keysym,
  mask: 0,
  modifiers: 0,
  ...state,
});

function fill(keysOf: (index: number) => ComposeKey[]): ComposeTable {
  const table = new ComposeTable();
  for (let index = 0; index < SEQUENCES; index += 1) table.add(keysOf(index), { text: `${index}` });
  return table;
}

const FLAT = (index: number): ComposeKey[] => [key(0x0100_0000 + index), key(0x61)];
const BRANCHED = (index: number): ComposeKey[] => [key(0x100 + (index >> 8)), key(0x100 + (index & 0xff))];
const DEEP = (index: number): ComposeKey[] => [key(0xff20), key(0xff20), key(0x0100_0000 + index)];

test.each([
  ['begin with different keys', FLAT],
  ['differ in their last key', DEEP],
])('sequences that all %s are read in the time of others', (_title, keysOf) => {
  fill(BRANCHED);
  const usual = processorMs(() => void fill(BRANCHED));
  const took = processorMs(() => void fill(keysOf));
  expect(took).toBeLessThan(10 * usual + 100);
});

test('each of many sequences is found, and of the same keys the last one added', () => {
  for (const keysOf of [FLAT, BRANCHED, DEEP]) {
    const table = fill(keysOf);
    table.add(keysOf(7), { text: 'again' });
    for (let index = 0; index < SEQUENCES; index += 997) {
      const end = keysOf(index).reduce<number | undefined>(
        (node, { keysym }) => (node === undefined ? undefined : table.follow(node, keysym, 0)),
        table.root,
      );
      expect(end === undefined ? undefined : table.textOf(end)).toBe(`${index}`);
    }
    const seventh = keysOf(7).reduce((node, { keysym }) => table.follow(node, keysym, 0) ?? Number.NaN, table.root);
    expect(table.textOf(seventh)).toBe('again');
  }
});

test('the last added key that fits is taken when keys differ in their modifiers', () => {
  const table = new ComposeTable();
  table.add([key(0x61)], { text: 'any' });
  table.add([key(0x61, { mask: 4, modifiers: 4 })], { text: 'control' });
  table.add([key(0x61, { mask: 5, modifiers: 0 })], { text: 'neither' });
  const textOf = (state: number): string | undefined => table.textOf(table.follow(table.root, 0x61, state) ?? 0);
  expect([0, 4, 1, 5].map(textOf)).toEqual(['neither', 'control', 'any', 'control']);
});
