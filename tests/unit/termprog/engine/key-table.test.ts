import { expect, test } from 'vitest';
import { hashOf, KeyTable } from '../../../../src/termprog/engine/key-table.ts';

test('a key has the number that it was given, until it is removed', () => {
  const table = new KeyTable();
  expect(table.get('a')).toBe(0);
  expect(table.add('a', 1)).toBe(true);
  expect([table.get('a'), table.keyOf(1), table.size]).toEqual([1, 'a', 1]);
  table.delete(1);
  table.delete(1);
  expect([table.get('a'), table.keyOf(1), table.size]).toEqual([0, undefined, 0]);
});

test('a hundred thousand random changes leave what a map has', () => {
  const table = new KeyTable();
  const map = new Map<string, number>();
  const free: number[] = [];
  let state = 7;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let change = 0; change < 100_000; change += 1) {
    const key = `${String.fromCodePoint(0x300 + random(3))}${random(4_000)}`;
    const known = map.get(key);
    if (known === undefined) {
      const number = free.pop() ?? map.size + free.length + 1;
      map.set(key, number);
      expect(table.add(key, number)).toBe(true);
    } else if (random(2) === 0) {
      map.delete(key);
      table.delete(known);
      free.push(known);
    }
    if (table.get(key) !== (map.get(key) ?? 0)) throw new Error(`${key} differs after ${change} changes`);
  }
  expect(table.size).toBe(map.size);
  expect([...map].filter(([key, number]) => table.get(key) !== number)).toEqual([]);
});

test('keys that differ in high bits alone do not stand in one row', () => {
  const table = new KeyTable();
  const keys = Array.from({ length: 16 * 16 * 16 }, (_, at) =>
    String.fromCharCode(0x300 + ((at & 0xf) << 12), 0x300 + (((at >> 4) & 0xf) << 12), 0x300 + ((at >> 8) << 12)),
  );
  expect(keys.filter((key, at) => !table.add(key, at + 1))).toEqual([]);
  expect(keys.filter((key, at) => table.get(key) !== at + 1)).toEqual([]);
});

test('changes of a full table allocate nothing that stays', () => {
  const table = new KeyTable();
  for (let number = 1; number <= 10_000; number += 1) table.add(`first ${number}`, number);
  const before = process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 20; round += 1) {
    for (let number = 1; number <= 10_000; number += 1) {
      table.delete(number);
      table.add(`${round} ${number}`, number);
    }
  }
  expect(process.memoryUsage().arrayBuffers).toBeLessThanOrEqual(before + 65_536);
});

test('only the keys of marked numbers stay, with their numbers', () => {
  const table = new KeyTable();
  const numbers = Array.from({ length: 5_000 }, (_, at) => at + 1);
  for (const number of numbers) table.add(`key ${number}`, number);
  table.delete(7);
  const marks = Uint8Array.from([0, ...numbers], (number) => (number % 3 === 1 ? 1 : 0));

  table.keepOnly(marks);

  const kept = numbers.filter((number) => number % 3 === 1 && number !== 7);
  expect(numbers.filter((number) => table.get(`key ${number}`) === number)).toEqual(kept);
  expect([table.size, table.keyOf(2), table.keyOf(4)]).toEqual([kept.length, undefined, 'key 4']);
  expect(table.add('key 2', 2)).toBe(true);
});

test('keys that were chosen to have similar hashes are like others in a table whose hashes begin with another number', () => {
  const basis = 0x811c9dc5;
  const slots = 2_048;
  const keys: string[] = [];
  for (let at = 0; keys.length < 600; at += 1) if (hashOf(`${at}`, basis) % slots === 0) keys.push(`${at}`);
  const refusedBy = (table: KeyTable): number => keys.filter((key, at) => !table.add(key, at + 1)).length;

  expect(refusedBy(new KeyTable({ basis }))).toBeGreaterThan(50);
  expect(refusedBy(new KeyTable())).toBe(0);
});
