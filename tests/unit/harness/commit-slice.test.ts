import { createHash } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { COMMIT_VARIABLE } from '../../../scripts/test/chosen-commit.ts';
import { sliceOfCommit, turnOfCommit } from '../../harness/commit-slice.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The part that each of many commits, or seeds, chooses of nine cases in each of three files that run by turns. */
function chosenParts(variable: string, values: readonly string[]): Set<string> {
  const cases = Array.from({ length: 9 }, (_, n) => n);
  return new Set(
    values.flatMap((value) => {
      vi.stubEnv(variable, value);
      return turnOfCommit(['first', 'second', 'third'], 3).map((file) => `${file}: ${sliceOfCommit(cases, 1)}`);
    }),
  );
}

test('every case of every file is chosen by some commit, and by some seed', () => {
  const numbers = Array.from({ length: 400 }, (_, n) => String(n));
  const hashes = numbers.map((number) => createHash('sha1').update(number).digest('hex'));
  vi.stubEnv('FUZZ_SEED', undefined);
  expect(chosenParts(COMMIT_VARIABLE, hashes).size).toBe(3 * 9);
  expect(chosenParts('FUZZ_SEED', numbers).size).toBe(3 * 9);
});

test('a slice has as many cases as were asked for, and no more than there are', () => {
  for (const seed of ['0', '7', '100']) {
    vi.stubEnv('FUZZ_SEED', seed);
    expect(new Set(sliceOfCommit(['a', 'b', 'c', 'd'], 3)).size).toBe(3);
    expect(sliceOfCommit(['a', 'b'], 3).toSorted()).toEqual(['a', 'b']);
    expect(sliceOfCommit([], 3)).toEqual([]);
  }
});
