import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import {
  bestFirst,
  type HandedOver,
  receiverOf,
  type ShareOfSlots,
  startSpread,
} from '../../../../src/connector/upkeep/spread.ts';

describe('the spread of account slots', () => {
  it('ends with 21 or 22 of 64 slots at each of three processes, wherever they were', () => {
    for (const counts of [
      { a: 64, b: 0, c: 0 },
      { a: 30, b: 30, c: 4 },
      { a: 0, b: 63, c: 1 },
    ]) {
      expect(Object.values(spread(counts)).toSorted((one, other) => one - other)).toEqual([21, 21, 22]);
    }
  });

  it('leaves slots where they are once no process has two more than another', () => {
    expect(receiverOf('a', sharesOf({ a: 22, b: 21, c: 21 }))).toBeUndefined();
    expect(receiverOf('a', sharesOf({ a: 64 }))).toBeUndefined();
  });

  it('gives to the process with the fewest slots', () => {
    expect(receiverOf('a', sharesOf({ a: 40, b: 20, c: 4 }))?.processId).toBe('c');
  });

  it('hands over slots with accounts first while the receiver acts for fewer accounts, and empty ones once it acts for as many', () => {
    const own = [0, 1, 2, 3, 4, 5];

    expect(bestFirst(own, [], [0, 2, 4])[0]).toBe(4);
    expect(bestFirst([0, 1, 2, 3, 5], [4], [0, 2, 4])[0]).toBe(5);
    expect(bestFirst(own, [63], [0, 63, 63])[0]).toBe(5);
    expect(bestFirst(own, [], [0, 0, 0, 1, 1, 1, 1])[0]).toBe(1);
  });

  it('tries another slot when one is busy, and no further one when the database refuses, because its accounts attach again each time', async () => {
    const tried = async (outcomes: readonly HandedOver[]): Promise<number[]> => {
      const slots: number[] = [];
      const spread = startSpread({
        processId: 'a',
        accounts: { own: new Set([0, 1, 2, 3]), shares: sharesOf({ a: 4, b: 0 }), seen: async () => undefined },
        handOver: async (slot) => {
          slots.push(slot);
          return outcomes[slots.length - 1] ?? 'refused';
        },
        slotsOfAccounts: async () => [],
        areAttached: async () => true,
        log: pino({ level: 'silent' }),
      });
      await waitFor('it has tried', () => slots.length > 0);
      await spread.close();
      return slots;
    };

    expect(await tried(['busy', 'busy', 'refused'])).toEqual([3, 2, 1]);
    expect(await tried(['refused'])).toEqual([3]);
  });

  it('hands all others over while more slots than it tries at once have work that never ends, and tries those last', async () => {
    const own = new Set(Array.from({ length: 24 }, (_, slot) => slot));
    const receiver: number[] = [];
    const tried: number[] = [];
    const isBusy = (slot: number): boolean => slot >= 12;
    const spread = startSpread({
      processId: 'a',
      accounts: {
        own,
        get shares() {
          return [
            { processId: 'a', name: 'a', accountSlots: [...own] },
            { processId: 'b', name: 'b', accountSlots: receiver },
          ];
        },
        seen: async () => undefined,
      },
      handOver: async (slot) => {
        tried.push(slot);
        if (isBusy(slot)) return 'busy';
        own.delete(slot);
        receiver.push(slot);
        return 'given';
      },
      slotsOfAccounts: async () => [...own].filter(isBusy),
      areAttached: async () => true,
      log: pino({ level: 'silent' }),
    });
    await waitFor('half of them are handed over', () => receiver.length === 12);
    await spread.close();

    expect(tried.filter(isBusy)).toHaveLength(12);
    expect(tried.filter((slot) => !isBusy(slot))).toHaveLength(12);
  });

  it('gives no further slot before the receiver has attached the accounts of the last one, and waits for no slot without accounts', async () => {
    const own = new Set([0, 1, 2, 3, 4, 5]);
    const given: number[] = [];
    const looks: number[] = [];
    const attached = new Set<number>();
    const spread = startSpread({
      processId: 'a',
      accounts: {
        own,
        get shares() {
          return [
            { processId: 'a', name: 'a', accountSlots: [...own] },
            { processId: 'b', name: 'b', accountSlots: given },
          ];
        },
        seen: async () => undefined,
      },
      handOver: async (slot) => {
        own.delete(slot);
        given.push(slot);
        return 'given';
      },
      slotsOfAccounts: async () => [4, 5],
      areAttached: async (slot, { name }) => {
        looks.push(slot);
        return name === 'b' && attached.has(slot);
      },
      log: pino({ level: 'silent' }),
    });
    await waitFor('it looks again', () => looks.length >= 3 || given.length > 1);
    const before = [...given];
    attached.add(5);
    await waitFor('three of six are given', () => given.length === 3);
    await spread.close();

    expect(before).toEqual([5]);
    expect(given).not.toContain(4);
    expect(new Set(looks)).toEqual(new Set([5]));
  });
});

/** Lets each process give one slot in turn until no one gives any more. */
function spread(counts: Record<string, number>): Record<string, number> {
  const now = { ...counts };
  for (let moves = 0; moves < 1_000; moves += 1) {
    let moved = false;
    for (const id of Object.keys(now)) {
      const receiver = receiverOf(id, sharesOf(now));
      if (receiver === undefined) continue;
      now[id] = (now[id] ?? 0) - 1;
      now[receiver.processId] = (now[receiver.processId] ?? 0) + 1;
      moved = true;
    }
    if (!moved) return now;
  }
  throw new Error(`still moving: ${JSON.stringify(now)}`);
}

function sharesOf(counts: Record<string, number>): ShareOfSlots[] {
  return Object.entries(counts).map(([processId, count]) => ({
    ...{ processId, name: processId },
    accountSlots: Array.from({ length: count }, (_, slot) => slot),
  }));
}
