import { expect, test } from 'vitest';
import { BusyWatch } from '../../../../bench/soak/busy.ts';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';

test('a program that waits long for a processor makes a time in which the machine was too busy, and short waits make none', async () => {
  const { waited, hasPlayed } = program(5_000, 10, 300, 450, 20, 20_000, 10);
  const began = Date.now();
  await using watch = new BusyWatch(() => [7, undefined], waited, 1);
  await waitFor('all is played', hasPlayed);
  // What it had waited before the watch began does not count. A wait of 20 s began before the other one had ended.
  const [time, ...more] = watch.times();
  expect(more).toEqual([]);
  expect(time).toMatchObject({ what: 'processors were too busy', touches: 'machine' });
  expect(time?.from).toBeLessThanOrEqual(began - 15_000);
});

test('a program that has ended, or waits for short times only, is no sign of a busy machine', async () => {
  const { waited, hasPlayed } = program(0, 100, 399, 200, 400);
  // It has ended after its first look.
  const ended = [0];
  await using watch = new BusyWatch(
    () => [7, 8],
    (pid) => (pid === 8 ? ended.pop() : waited()),
    1,
  );
  await waitFor('all is played', hasPlayed);
  expect(watch.times()).toEqual([]);
});

/** A program whose waits for a processor are these, in milliseconds, one look after the other. */
function program(...waits: number[]) {
  let looks = 0;
  let waitedMs = 0;
  const waited = (): number => {
    waitedMs += waits[looks] ?? 0;
    looks += 1;
    return waitedMs;
  };
  return { waited, hasPlayed: () => looks > waits.length };
}
