import { expect, test } from 'vitest';
import type { SlotKeeper } from '../../../../../src/connector/store/hold/slot-keeper.ts';
import { openKeepers as open } from '../../../../harness/played-keepers.ts';

const SECOND_MS = 1_000;
const ALL = 64;

type Opened = ReturnType<typeof open>;

test('the process that takes a new database acts for all accounts at its first look after the schema is current', async () => {
  const opened = open();
  const { time, start } = opened;
  await time.pass(
    (async () => {
      const keeper = start('holder');
      await keeper.taken;
      await time.sleep(10 * SECOND_MS);
      expect(keeper.accounts.own.size).toBe(0);
      const changes: number[] = [];
      keeper.accounts.onChange((now) => void changes.push(now.size));
      const before = time.now();

      keeper.company.schemaIsCurrent();
      await keeper.accounts.seen();

      expect(time.now() - before).toBeLessThan(SECOND_MS);
      expect([keeper.accounts.own.size, changes]).toEqual([ALL, [ALL]]);
      await time.sleep(60 * SECOND_MS);
      expect(changes).toEqual([ALL]);
    })(),
  );
});

test('an account slot that is given leaves its owner at once, and the other process has it at its next look', async () => {
  const opened = open();
  const { time } = opened;
  await time.pass(
    (async () => {
      const { holder, others } = await started(opened, ['b']);
      const [b] = others;
      if (b === undefined) throw new Error('b was not started');
      const seen: number[][] = [];
      b.accounts.onChange((now) => void seen.push([...now]));

      const giving = holder.accounts.give(7, 'b');
      await time.sleep(0);
      expect(holder.accounts.own.has(7)).toBe(false);
      expect(await giving).toBe(true);
      b.lookNow();
      await time.until('b has it', () => b.accounts.own.has(7));

      expect(seen).toEqual([[7]]);
      expect(holder.accounts.own.size).toBe(ALL - 1);
      expect(await given(b, [7, 8], 'holder')).toEqual([true, false]);
      await holder.accounts.seen();
      expect([holder.accounts.own.size, b.accounts.own.size]).toEqual([ALL, 0]);
    })(),
  );
});

test('a process that can’t take the free account slots yet sees its own all the same, and takes those later', async () => {
  const opened = open();
  const { time, slot, start } = opened;
  await time.pass(
    (async () => {
      slot.keepsFree = true;
      slot.accountSlots.set(3, 'holder');
      const keeper = start('holder');
      await keeper.taken;
      keeper.company.schemaIsCurrent();

      await keeper.accounts.seen();
      expect([...keeper.accounts.own]).toEqual([3]);

      slot.keepsFree = false;
      await time.until('it has all', () => keeper.accounts.own.size === ALL);
    })(),
  );
});

test('a process that serves beside the other gets account slots only after it has accepted them, also when it was entered anew', async () => {
  const opened = open();
  const { time, slot, start } = opened;
  await time.pass(
    (async () => {
      const { holder } = await started(opened, []);
      const b = start('b');
      b.taken.catch(() => undefined);
      b.company.read();
      await time.sleep(60 * SECOND_MS);
      const receivers = () => holder.accounts.shares.map(({ processId }) => processId);
      expect(receivers()).toEqual(['holder']);
      expect(await given(holder, [1], 'b')).toEqual([false]);

      await b.accounts.accept();
      await time.until('b gets some', () => receivers().includes('b'));
      slot.readers.delete('b');
      await time.until('b is entered anew', () => slot.readers.has('b'));
      await time.until('it is not among those that get some', () => !receivers().includes('b'));
      await time.until('b gets some again', () => receivers().includes('b'));
      await b.accounts.decline();
      slot.readers.delete('b');
      await time.sleep(60 * SECOND_MS);
      expect(receivers()).toEqual(['holder']);
    })(),
  );
});

test('an account slot that can’t be given stays, and is not reported as a change', async () => {
  const opened = open();
  const { time, slot } = opened;
  await time.pass(
    (async () => {
      const { holder, others } = await started(opened, ['b']);
      const changes: number[] = [];
      holder.accounts.onChange((now) => void changes.push(now.size));
      await others[0]?.accounts.decline();

      expect(await given(holder, [1], 'b')).toEqual([false]);
      expect(await given(holder, [2], 'unknown')).toEqual([false]);
      expect(await given(holder, [2], 'holder')).toEqual([false]);
      slot.cut.add('holder');
      expect(await given(holder, [3], 'b')).toEqual([false]);
      slot.cut.delete('holder');
      await holder.accounts.seen();

      expect([holder.accounts.own.size, changes]).toEqual([ALL, []]);
      expect(holder.accounts.shares.map(({ processId }) => processId)).toEqual(['holder']);
    })(),
  );
});

test('a gift whose answer is lost counts as given until a look shows who has it', async () => {
  const opened = open();
  const { time, slot } = opened;
  await time.pass(
    (async () => {
      const { holder } = await started(opened, ['b']);
      slot.losesNextGift = true;
      expect(await given(holder, [5], 'b')).toEqual([true]);
      expect(holder.accounts.own.has(5)).toBe(false);
      await holder.accounts.seen();
      expect([holder.accounts.own.size, slot.accountSlots.get(5)]).toEqual([ALL - 1, 'b']);

      // The database has lost it, as one that is promoted without its newest commits.
      slot.accountSlots.set(5, 'holder');
      const changes: number[] = [];
      holder.accounts.onChange((now) => void changes.push(now.size));
      await holder.accounts.seen();
      expect([holder.accounts.own.has(5), changes]).toEqual([true, [ALL]]);
    })(),
  );
});

test('the accounts of a process that has left go to the one with the slot, and so do those of one that is dead', async () => {
  const opened = open();
  const { time, slot } = opened;
  await time.pass(
    (async () => {
      const { holder, others } = await started(opened, ['b', 'c']);
      await given(holder, [1, 2, 3], 'b');
      await given(holder, [4, 5], 'c');
      const [b, c] = others;
      await b?.accounts.seen();
      await c?.accounts.seen();

      await b?.release();
      expect(b?.accounts.own.size).toBe(0);
      await time.until('it has those of b', () => holder.accounts.own.size === ALL - 2);
      slot.cut.add('c');
      await time.until('it has those of c', () => holder.accounts.own.size === ALL);
    })(),
  );
});

for (const { how, leaves } of [
  { how: 'its connections were ended', leaves: undefined },
  { how: 'its connections could not be ended', leaves: 'another role has opened them' },
]) {
  test(`a process whose accounts were taken while it was frozen is lost when it wakes, where ${how}`, async () => {
    const opened = open();
    const { time, slot } = opened;
    slot.leavesConnections = leaves;
    await time.pass(
      (async () => {
        const { holder, others } = await started(opened, ['b']);
        const [b] = others;
        if (b === undefined) throw new Error('b was not started');
        const losses = lossesOf(b);
        await given(holder, [1, 2, 3], 'b');
        await b.accounts.seen();
        slot.cut.add('b');
        await time.until('its accounts are taken', () => holder.accounts.own.size === ALL);
        expect(b.company.claim.isTrusted()).toBe(false);
        slot.cut.delete('b');

        await time.until('it is lost', () => losses.length > 0);

        expect(losses).toEqual([expect.stringContaining('another one has taken its accounts')]);
        expect([b.accounts.own.size, b.company.claim.isTrusted()]).toEqual([0, false]);
        await expect(b.taken).rejects.toThrow('another one has taken its accounts');
        await expect(b.accounts.seen()).rejects.toThrow('no account any more');
        expect(holder.company.alone() === undefined).toBe(leaves !== undefined);
      })(),
    );
  });
}

test('a process whose accounts were taken does not take the slot when it wakes and the slot’s process is dead', async () => {
  const opened = open();
  const { time, slot } = opened;
  await time.pass(
    (async () => {
      const { holder, others } = await started(opened, ['b']);
      const [b] = others;
      if (b === undefined) throw new Error('b was not started');
      const losses = lossesOf(b);
      await given(holder, [1, 2, 3], 'b');
      await b.accounts.seen();
      slot.cut.add('b');
      await time.until('its accounts are taken', () => holder.accounts.own.size === ALL);
      await holder.release();
      slot.cut.delete('b');

      await time.until('it is lost', () => losses.length > 0);

      expect([slot.holder, b.hasSlot]).toEqual([undefined, false]);
    })(),
  );
});

for (const { who, from, to } of [
  { who: 'that serves beside the slot', from: 'b', to: 'holder' },
  { who: 'that has the slot', from: 'holder', to: 'b' },
]) {
  test(`a process ${who} ends when the database has forgotten that it got an account slot, as after a failover`, async () => {
    const opened = open();
    const { time, slot } = opened;
    await time.pass(
      (async () => {
        const { holder, others } = await started(opened, ['b']);
        const [b] = others;
        if (b === undefined) throw new Error('b was not started');
        const hold = await holder.taken;
        const losses: string[] = [];
        if (from === 'holder') hold.onLost((why) => void losses.push(why));
        else b.company.claim.onLost((why) => void losses.push(why));
        const loser = from === 'b' ? b : holder;
        expect(await given(holder, [1, 2, 3], 'b')).toEqual([true, true, true]);
        await b.accounts.seen();
        await time.sleep(10 * SECOND_MS);
        expect(losses).toEqual([]);

        slot.accountSlots.set(from === 'b' ? 2 : 9, to);
        await time.until('it is lost', () => losses.length > 0);

        expect(losses).toEqual([expect.stringContaining('no longer')]);
        expect(loser.accounts.own.size).toBe(0);
      })(),
    );
  });
}

test('a process that takes the slot keeps its accounts, and gets those of the dead one', async () => {
  const opened = open();
  const { time, slot } = opened;
  await time.pass(
    (async () => {
      const { holder, others } = await started(opened, ['b']);
      const [b] = others;
      if (b === undefined) throw new Error('b was not started');
      const losses = lossesOf(b);
      await given(holder, [1, 2, 3], 'b');
      await b.accounts.seen();
      const sizes: number[] = [];
      b.accounts.onChange((now) => void sizes.push(now.size));
      slot.cut.add('holder');
      await b.taken;
      await time.until('it has all accounts', () => b.accounts.own.size === ALL);
      expect([losses, sizes]).toEqual([[], [ALL]]);
    })(),
  );
});

for (const [aheadMs, isLost] of [
  [6 * SECOND_MS, false],
  [29 * SECOND_MS, false],
  [-31 * SECOND_MS, true],
] as const) {
  test(`a process that has accounts beside the slot ${isLost ? 'loses them' : 'goes on acting for them, and serves no requests,'} when its clock is ${aheadMs / SECOND_MS} s off`, async () => {
    const opened = open();
    const { time, start } = opened;
    await time.pass(
      (async () => {
        const { holder } = await started(opened, []);
        let nowAheadMs = 0;
        const b = start('b', () => nowAheadMs);
        b.taken.catch(() => undefined);
        b.company.read();
        await b.company.begins;
        await b.accounts.accept();
        const losses = lossesOf(b);
        await time.until('b is fit', () => holder.accounts.shares.length === 2);
        await given(holder, [1], 'b');
        await b.accounts.seen();

        nowAheadMs = aheadMs;
        await time.sleep(30 * SECOND_MS);

        expect([b.company.mayRead(), b.company.claim.isTrusted(), losses.length]).toEqual([
          false,
          !isLost,
          Number(isLost),
        ]);
        expect(holder.accounts.shares.map(({ processId }) => processId)).toEqual(['holder']);
      })(),
    );
  });
}

test('a refused transaction ends a process that has accounts at once, and one without accounts not at all', async () => {
  const opened = open();
  const { time } = opened;
  await time.pass(
    (async () => {
      const { holder, others } = await started(opened, ['b', 'c']);
      const [b, c] = others;
      if (b === undefined || c === undefined) throw new Error('not started');
      const losses = [lossesOf(b), lossesOf(c)];
      await given(holder, [1], 'b');
      await b.accounts.seen();

      for (const each of [b, c]) each.company.claim.entry?.refused();

      expect(losses.map(({ length }) => length)).toEqual([1, 0]);
      await time.sleep(20 * SECOND_MS);
      expect(c.company.mayRead()).toBe(true);
    })(),
  );
});

test('several dead processes are buried in turn, also where one of them can’t be', async () => {
  const opened = open();
  const { time, slot } = opened;
  slot.leavesConnections = 'another role has opened them';
  await time.pass(
    (async () => {
      const { holder, others } = await started(opened, ['b', 'c', 'd']);
      for (const [index, keeper] of others.entries()) {
        await given(holder, [index], ['b', 'c', 'd'][index] ?? '');
        await keeper.accounts.seen();
      }
      for (const id of ['b', 'c', 'd']) slot.cut.add(id);
      await time.until('all are taken', () => holder.accounts.own.size === ALL);
    })(),
  );
});

test('a lone process that has all account slots reads them no more, until another one serves, and again once that one has gone', async () => {
  const opened = open();
  const { time, slot, start } = opened;
  await time.pass(
    (async () => {
      const { holder } = await started(opened, []);
      const looksInAMinute = async (): Promise<number> => {
        const before = slot.looks;
        await time.sleep(60 * SECOND_MS);
        return slot.looks - before;
      };
      await time.sleep(20 * SECOND_MS);
      expect(await looksInAMinute()).toBe(0);
      await holder.accounts.seen();
      expect(holder.accounts.own.size).toBe(ALL);

      const b = start('b');
      b.taken.catch(() => undefined);
      b.company.read();
      await b.company.begins;
      await b.accounts.accept();
      await time.until('it is seen', () => holder.accounts.shares.length === 2);
      expect(await given(holder, [1, 2], 'b')).toEqual([true, true]);
      await time.until('it has them', () => b.accounts.own.size === 2);
      await b.release();
      await time.until('the first one has them again', () => holder.accounts.own.size === ALL);

      await time.sleep(20 * SECOND_MS);
      expect(await looksInAMinute()).toBe(0);
    })(),
  );
});

test('a process that gets no accounts, and is entered anew after a freeze, gets none after it either', async () => {
  const opened = open();
  const { time, slot } = opened;
  await time.pass(
    (async () => {
      const { holder, others } = await started(opened, ['b']);
      const [b] = others;
      if (b === undefined) throw new Error('b was not started');
      await b.accounts.decline();
      slot.cut.add('b');
      await time.until('it is buried', () => !slot.readers.has('b'));
      // Its new row does not have it.
      slot.declining.delete('b');
      slot.cut.delete('b');
      await time.until('it serves again', () => b.company.mayRead());

      await holder.accounts.seen();
      expect(holder.accounts.shares.map(({ processId }) => processId)).toEqual(['holder']);
      await b.accounts.accept();
      await holder.accounts.seen();
      expect(holder.accounts.shares.map(({ processId }) => processId)).toEqual(['b', 'holder']);
    })(),
  );
});

/** One process that has the slot, and others that serve beside it. */
async function started({ time, start }: Opened, beside: readonly string[]) {
  const holder = start('holder');
  await holder.taken;
  holder.company.schemaIsCurrent();
  const others: SlotKeeper[] = [];
  for (const id of beside) {
    const keeper = start(id);
    keeper.taken.catch(() => undefined);
    keeper.company.read();
    await keeper.company.begins;
    await keeper.accounts.accept();
    others.push(keeper);
  }
  await time.until('all are seen', () => holder.accounts.shares.length === beside.length + 1);
  return { holder, others };
}

/** Notes why a process without the slot has lost its accounts. */
function lossesOf(keeper: SlotKeeper): string[] {
  const losses: string[] = [];
  keeper.company.claim.onLost((why) => void losses.push(why));
  return losses;
}

async function given(from: SlotKeeper, slots: readonly number[], to: string): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const slot of slots) answers.push(await from.accounts.give(slot, to));
  return answers;
}
