import { afterEach, expect, test, vi } from 'vitest';
import { chosenSeed } from '../../harness/seed.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each(['0', '8', '2147483647'])('FUZZ_SEED=%s is taken as it is', (seed) => {
  vi.stubEnv('FUZZ_SEED', seed);
  expect(chosenSeed()).toBe(Number(seed));
});

test.each(['', 'a', '-1', '1.5', '0x10', '1e3', ' 7', '2147483648'])('FUZZ_SEED=%j is refused', (seed) => {
  vi.stubEnv('FUZZ_SEED', seed);
  expect(chosenSeed).toThrow(`FUZZ_SEED: expected a natural number below 2147483648, received ${JSON.stringify(seed)}`);
});

test('without FUZZ_SEED no seed is chosen', () => {
  vi.stubEnv('FUZZ_SEED', undefined);
  expect(chosenSeed()).toBeUndefined();
});
