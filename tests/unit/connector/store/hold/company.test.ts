import { expect, test } from 'vitest';
import { readCompany } from '../../../../../src/connector/store/hold/company-rows.ts';
import { beat, leave } from '../../../../../src/connector/store/hold/process-rows.ts';
import type { SlotKeeper } from '../../../../../src/connector/store/hold/slot-keeper.ts';
import { openStore } from '../../../../harness/open-store.ts';
import { openKeepers as open } from '../../../../harness/played-keepers.ts';
import type { VirtualTime } from '../../../../harness/virtual-time.ts';

const SECOND_MS = 1_000;

test('a process that waits leaves the one that has the slot alone; one that begins to serve does not, from before it serves', async () => {
  const opened = open();
  const { time } = opened;
  await time.pass(
    (async () => {
      const { holder, reader } = await pairOf(opened);
      const period = holder.company.alone();
      await time.sleep(60 * SECOND_MS);
      expect(holder.company.alone()).toBe(period);
      const { seen, end } = watch(time, holder, reader);

      reader.company.read();
      await reader.company.begins;

      expect(holder.company.alone()).toBeUndefined();
      await time.sleep(60 * SECOND_MS);
      expect(reader.company.mayRead()).toBe(true);
      await reader.release();
      await time.until('it is alone again', () => holder.company.alone() !== undefined);
      await end();
      expect(seen).toMatchObject({ both: 0 });
      expect(holder.company.alone()).not.toBe(period);
    })(),
  );
});

for (const wrongMs of [6 * SECOND_MS, -6 * SECOND_MS, -40 * SECOND_MS, 2 * 3_600 * SECOND_MS]) {
  test(`a process without the slot serves while its clock is right, and not while it is ${wrongMs / SECOND_MS} s off`, async () => {
    const opened = open();
    const { time, start } = opened;
    await time.pass(
      (async () => {
        const holder = start('holder');
        await holder.taken;
        holder.company.schemaIsCurrent();
        let aheadMs = wrongMs;
        const { company } = start('reader', () => aheadMs);
        company.read();

        await time.sleep(60 * SECOND_MS);
        expect([company.isEntered, company.mayRead(), company.claim.isTrusted()]).toEqual([true, false, false]);
        aheadMs = wrongMs < 0 ? -4 * SECOND_MS : 4 * SECOND_MS;
        await time.until('it serves', () => company.mayRead());
        expect(company.claim.isTrusted()).toBe(true);
        aheadMs = wrongMs;
        await time.sleep(3 * SECOND_MS);
        expect([company.mayRead(), company.claim.isTrusted()]).toEqual([false, false]);
      })(),
    );
  });
}

for (const cutOff of ['holder', 'reader']) {
  test(`both stop trusting themselves in time while the ${cutOff} is cut off, for any duration`, async () => {
    const opened = open();
    const { time, slot } = opened;
    await time.pass(
      (async () => {
        const { holder, reader } = await pairOf(opened);
        const { seen, end } = watch(time, holder, reader);
        for (const seconds of [1, 3, 5, 6.5, 7.5, 8.5]) {
          slot.cut.add(cutOff);
          await time.sleep(seconds * 500);
          reader.company.read();
          await time.sleep(seconds * 500);
          slot.cut.delete(cutOff);
          await time.until('it serves', () => reader.company.mayRead());
          slot.cut.add(cutOff);
          await time.sleep(8.5 * SECOND_MS);
          slot.cut.delete(cutOff);
          await time.sleep(3 * SECOND_MS);
        }
        await end();
        expect(seen.both).toBe(0);
        expect(seen.reads).toBeGreaterThan(0);
      })(),
    );
  });
}

test('a process that is cut off does not serve until it is heard again', async () => {
  const opened = open();
  const { time, slot } = opened;
  await time.pass(
    (async () => {
      const { reader } = await pairOf(opened);
      reader.company.read();
      await reader.company.begins;
      slot.cut.add('reader');
      await time.until('it serves no more', () => !reader.company.mayRead());
      slot.cut.delete('reader');
      await time.until('it serves', () => reader.company.mayRead());
    })(),
  );
});

test('a database that has lost the row of a process that serves leaves no moment in which both trust it', async () => {
  const opened = open();
  const { time, slot } = opened;
  await time.pass(
    (async () => {
      const { holder, reader } = await pairOf(opened);
      reader.company.read();
      await reader.company.begins;
      const { seen, end } = watch(time, holder, reader);
      for (let round = 0; round < 20; round += 1) {
        await time.sleep(20 * SECOND_MS + 97 * round);
        slot.readers.delete('reader');
      }
      await time.until('it serves again', () => reader.company.mayRead());
      await end();
      expect(seen.both).toBe(0);
    })(),
  );
});

/** A process that serves and is cut off, and others beside it. */
async function silentReader(opened: ReturnType<typeof open>, others: readonly string[] = []) {
  const { time, slot, start } = opened;
  const { holder, reader } = await pairOf(opened);
  for (const other of others) start(other).company.read();
  reader.company.read();
  await reader.company.begins;
  const { seen, end } = watch(time, holder, reader);
  slot.cut.add('reader');
  return { holder, reader, seen, end, cutAt: time.now() };
}

test('a process that serves and is killed leaves the others alone as soon as it counts as dead: its connections are ended first', async () => {
  const opened = open();
  const { time, slot } = opened;
  await time.pass(
    (async () => {
      const { holder, seen, end, cutAt } = await silentReader(opened);
      expect(holder.serving).toBe(2);

      await time.until('it is alone', () => holder.company.alone() !== undefined);

      // Nine seconds of silence, then the next look, which comes every two seconds.
      expect(time.now() - cutAt).toBeLessThanOrEqual(11 * SECOND_MS + 100);
      expect(slot.expelled).toEqual(['reader']);
      expect(holder.serving).toBe(1);
      await time.sleep(60 * SECOND_MS);
      await end();
      expect(seen.both).toBe(0);
    })(),
  );
});

test('one that was only frozen, for however long, is entered anew when it wakes: in no moment both trust themselves', async () => {
  const opened = open();
  const { time, slot } = opened;
  await time.pass(
    (async () => {
      const { reader, seen, end } = await silentReader(opened);
      for (const seconds of [6.9, 8.9, 9.1, 10.5, 11.5, 13, 20, 60]) {
        await time.sleep(seconds * SECOND_MS);
        slot.cut.delete('reader');
        await time.until('it serves again', () => reader.company.mayRead());
        slot.cut.add('reader');
      }
      await end();
      expect(seen.both).toBe(0);
      expect(seen.alone).toBeGreaterThan(0);
    })(),
  );
});

test('one whose connections can’t be ended counts until its row is gone, but not in the parts of limits', async () => {
  const opened = open();
  const { time, slot } = opened;
  await time.pass(
    (async () => {
      slot.leavesConnections = 'another role has opened them';
      const { holder, end } = await silentReader(opened);
      await time.sleep(60 * SECOND_MS);

      expect(holder.company.alone()).toBeUndefined();
      expect(holder.serving).toBe(1);
      await end();
    })(),
  );
});

test('two that are killed at once leave the others alone one look later than one', async () => {
  const opened = open();
  const { time, slot } = opened;
  await time.pass(
    (async () => {
      const { holder, cutAt, end } = await silentReader(opened, ['second']);
      slot.cut.add('second');
      expect(holder.serving).toBe(3);

      await time.until('it is alone', () => holder.company.alone() !== undefined);

      expect(time.now() - cutAt).toBeLessThanOrEqual(13 * SECOND_MS + 100);
      await end();
    })(),
  );
});

test('the database keeps who serves beside the slot until they leave, also while they are silent', async () => {
  await using own = await openStore();
  const { database } = own;
  for (const processId of ['a', 'b', 'c']) await beat(database, { processId, name: processId, version: '1' }, 0);
  const seenBy = async (processId: string, wantsToRead = false) => {
    const { others, readsSince } = await readCompany(database, processId, wantsToRead);
    return { others: others.map(({ processId: id }) => id), readsSince };
  };

  expect(await seenBy('a')).toEqual({ others: [], readsSince: undefined });
  const { readsSince } = await seenBy('b', true);
  await beat(database, { processId: 'b', name: 'b', version: '1' }, 0);
  expect(await seenBy('b', true)).toEqual({ others: [], readsSince });
  await database('processes')
    .where('process_id', 'b')
    .decrement('seen_at', 60 * SECOND_MS);
  expect(await seenBy('a')).toEqual({ others: ['b'], readsSince: undefined });
  await leave(database, 'b');

  expect(await seenBy('a')).toEqual({ others: [], readsSince: undefined });
  expect(await seenBy('b', true)).toEqual({ others: [], readsSince: undefined });
});

/** Looks at each moment: a process that takes itself for alone is alone. */
function watch(time: VirtualTime, holder: SlotKeeper, reader: SlotKeeper) {
  const seen = { both: 0, alone: 0, reads: 0, ends: false };
  const watching = (async () => {
    while (!seen.ends) {
      const isAlone = holder.company.alone() !== undefined;
      const reads = reader.company.mayRead();
      if (isAlone) seen.alone += 1;
      if (reads) seen.reads += 1;
      if (isAlone && reads) seen.both += 1;
      await time.sleep(50);
    }
  })();
  return {
    seen,
    end: () => {
      seen.ends = true;
      return watching;
    },
  };
}

/** A process that has the slot and is alone, and another one that waits. */
async function pairOf({ time, start }: ReturnType<typeof open>) {
  const holder = start('holder');
  await holder.taken;
  holder.company.schemaIsCurrent();
  const reader = start('reader');
  await time.until('it is alone', () => holder.company.alone() !== undefined);
  return { holder, reader };
}
