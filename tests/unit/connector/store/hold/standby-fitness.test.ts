import { expect, test } from 'vitest';
import { watchFitness } from '../../../../../src/connector/store/hold/standby-fitness.ts';

class Lasting extends Error {}

test('a standby that could take over goes on waiting, and is looked at again', async () => {
  expect(await watch([undefined, undefined, undefined])).toEqual({ looks: 4, told: [], error: undefined });
});

test('a passing failure is reported once, and again when it comes back', async () => {
  const away = new Error('away');

  expect(await watch([away, away, undefined, away])).toEqual({
    looks: 5,
    told: ['Error: away', 'Error: away'],
    error: undefined,
  });
});

test('a lasting failure ends the waiting with its reason', async () => {
  const error = new Lasting('the keys were replaced');

  expect(await watch([undefined, error, undefined])).toEqual({ looks: 2, told: [], error });
});

/** A watch over looks that end in this way, one after another; after the last of them it is ended. */
async function watch(ends: readonly (Error | undefined)[]): Promise<{ looks: number; told: string[]; error: unknown }> {
  const ended = new AbortController();
  const told: string[] = [];
  let looks = 0;
  const error = await watchFitness({
    everyMs: 1,
    signal: ended.signal,
    look: async () => {
      const end = ends[looks];
      looks += 1;
      if (looks > ends.length) ended.abort();
      if (end !== undefined) throw end;
    },
    isLasting: (one) => one instanceof Lasting,
    failed: (one) => told.push(String(one)),
  }).catch((one: unknown) => one);
  return { looks, told, error };
}
