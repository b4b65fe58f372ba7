import { expect, test } from 'vitest';
import { collectGarbage, isWorthwhile } from '../../../src/connector/spare-memory.ts';

const MIB = 1024 * 1024;

test('room that garbage took is given back', () => {
  let kept: object[] = [];
  for (let count = 0; count < 3_000_000; count += 1) {
    if (count % 200_000 === 0) kept = [];
    kept.push({ count });
  }
  kept = [];
  const before = process.memoryUsage().heapTotal;

  collectGarbage();

  expect(before - process.memoryUsage().heapTotal).toBeGreaterThan(5 * MIB);
});

for (const [what, cpuShare, heapMiB, leastMiB, expected] of [
  ['nothing was collected yet', 0.001, 60, 0, true],
  ['the heap has grown', 0.001, 60, 40, true],
  ['the heap is about as small as it can be', 0.001, 45, 40, false],
  ['the program works', 0.3, 60, 0, false],
] as const) {
  test(`memory is ${expected ? '' : 'not '}given back when ${what}`, () => {
    expect(isWorthwhile(cpuShare, heapMiB * MIB, leastMiB * MIB)).toBe(expected);
  });
}
