import { expect, test } from 'vitest';
import { Snapshot } from '../../../../src/agent/collection/snapshot.ts';
import { SnapshotSource } from '../../../../src/agent/collection/snapshot-source.ts';

/** A source that counts its collections, with a clock to move and a gate to hold them. */
function countingSource() {
  const state = { collections: 0, wallMs: 5_000_000, monotonicMs: 100, gate: Promise.resolve() };
  const source = new SnapshotSource(
    async () => {
      state.collections += 1;
      await state.gate;
      return new Snapshot({ host: 'h', time: `${state.collections}`, errors: {} }, []);
    },
    { now: () => state.wallMs, monotonic: () => state.monotonicMs },
  );
  return { source, state };
}

test('a hundred requests in the cold share one collection and get the same snapshot', async () => {
  const { source, state } = countingSource();

  const snapshots = await Promise.all(Array.from({ length: 100 }, () => source.current()));

  expect(state.collections).toBe(1);
  expect(new Set(snapshots).size).toBe(1);
});

test('a snapshot lives ten seconds and not longer', async () => {
  const { source, state } = countingSource();
  const first = await source.current();

  state.monotonicMs += 9_999;
  expect(await source.current()).toBe(first);
  state.monotonicMs += 1;
  expect(await source.current()).not.toBe(first);

  expect(state.collections).toBe(2);
});

test('a wall clock that is set back does not keep a snapshot alive, nor end it early', async () => {
  const { source, state } = countingSource();
  await source.current();

  state.wallMs -= 3_600_000;
  await source.current();
  expect(state.collections).toBe(1);

  state.monotonicMs += 10_000;
  await source.current();
  expect(state.collections).toBe(2);
});

test('after sleep, which the monotonic clock does not count, the snapshot is old', async () => {
  const { source, state } = countingSource();
  await source.current();

  state.wallMs += 3_600_000;
  await source.current();

  expect(state.collections).toBe(2);
});

test('a collection that takes longer than the interval is not joined by a second one', async () => {
  const { source, state } = countingSource();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const slow = source.current();

  state.monotonicMs += 20_000;
  const joined = source.current();
  resolve();

  expect(await joined).toBe(await slow);
  expect(state.collections).toBe(1);
});
