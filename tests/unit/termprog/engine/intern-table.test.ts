import { expect, test } from 'vitest';
import { InternTable } from '../../../../src/termprog/engine/intern-table.ts';

const createTable = ({ numberMax = 1_000_000, charactersMax = 1_000_000 } = {}) =>
  new InternTable<string>({ keyOf: (value) => value, numberMax, charactersMax });

test('equal values have one number, which is not 0', () => {
  const table = createTable();
  const [a, b, again] = ['a', 'b', 'a'].map((value) => table.numberOf(value));
  expect([a, again]).toEqual([a, a]);
  expect(a).not.toBe(b);
  expect([table.get(a ?? 0), table.get(0)]).toEqual(['a', undefined]);
});

test('unmarked values are forgotten, and their numbers are used again', () => {
  const table = createTable();
  const [a = 0, b = 0] = ['a', 'b'].map((value) => table.numberOf(value));
  const marks = new Uint8Array(table.capacity);
  marks[b] = 1;
  table.sweep(marks);
  expect([table.get(a), table.get(b), table.numberOf('c')]).toEqual([undefined, 'b', a]);
});

test('a sweep is due when the table holds twice what the last one left', () => {
  const table = createTable();
  const fill = (count: number, from: number): void => {
    for (let value = from; value < from + count; value += 1) table.numberOf(String(value));
  };
  fill(5_000, 0);
  expect(table.isDue).toBe(true);
  table.sweep(new Uint8Array(table.capacity).fill(1));
  expect(table.isDue).toBe(false);
  fill(5_000, 5_000);
  expect(table.isDue).toBe(true);
});

test('when all numbers are used there is no room until some are free', () => {
  const table = createTable({ numberMax: 2 });
  expect(['a', 'b', 'c'].map((value) => table.numberOf(value))).toEqual([1, 2, 0]);
  table.sweep(Uint8Array.of(0, 0, 1));
  expect(['c', 'd', 'b'].map((value) => table.numberOf(value))).toEqual([1, 0, 2]);
});

test('when all characters are used there is no room, and a sweep is due early', () => {
  const table = createTable({ charactersMax: 100 });
  expect(table.numberOf('x'.repeat(30))).toBe(1);
  expect(table.isDue).toBe(true);
  expect([table.numberOf('y'.repeat(80)), table.numberOf('z'.repeat(70))]).toEqual([0, 2]);
  table.sweep(new Uint8Array(table.capacity));
  expect(table.numberOf('y'.repeat(80))).toBeGreaterThan(0);
});

test('refusals make a sweep due only from time to time', () => {
  const table = createTable({ charactersMax: 3 });
  table.numberOf('abc');
  table.sweep(new Uint8Array(table.capacity).fill(1));
  for (let value = 0; value < 1_000; value += 1) table.numberOf(String(value));
  expect(table.isDue).toBe(false);
  for (let value = 0; value < 4_000; value += 1) table.numberOf(String(value));
  expect(table.isDue).toBe(true);
});

test('a sweep that has read many cells is paid for by new values before the next is due', () => {
  const table = createTable();
  const fill = (count: number, from: number): void => {
    for (let value = from; value < from + count; value += 1) table.numberOf(String(value));
  };
  fill(5_000, 0);
  table.sweep(new Uint8Array(table.capacity), 64 * 20_000);
  fill(19_999, 5_000);
  expect(table.isDue).toBe(false);
  fill(1, 50_000);
  expect(table.isDue).toBe(true);
});
