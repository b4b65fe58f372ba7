import { expect, test } from 'vitest';
import { readCompany } from '../../../../../src/connector/store/hold/company-rows.ts';
import { beat, leave } from '../../../../../src/connector/store/hold/process-rows.ts';
import type { SlotKeeper } from '../../../../../src/connector/store/hold/slot-keeper.ts';
import { openStore } from '../../../../harness/open-store.ts';
import { openKeepers as open } from '../../../../harness/played-keepers.ts';
import type { VirtualTime } from '../../../../harness/virtual-time.ts';

const SECOND_MS = 1_000;

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

for (const cutOff of ['holder', 'reader']) {
  test(`neither trusts itself too long while the ${cutOff} is cut off, however long`, async () => {
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

test('the database keeps who serves beside the slot until they leave, also while they are silent', async () => {
  await using own = await openStore();
  const { database } = own;
  for (const processId of ['a', 'b', 'c']) await beat(database, { processId, name: processId, version: '1' }, 0);

  expect(await readCompany(database, 'a', false)).toEqual({ readers: 0, readsSince: undefined });
  const { readsSince } = await readCompany(database, 'b', true);
  await beat(database, { processId: 'b', name: 'b', version: '1' }, 0);
  expect(await readCompany(database, 'b', true)).toEqual({ readers: 0, readsSince });
  await database('processes')
    .where('process_id', 'b')
    .decrement('seen_at', 60 * SECOND_MS);
  expect(await readCompany(database, 'a', false)).toEqual({ readers: 1, readsSince: undefined });
  await leave(database, 'b');

  expect(await readCompany(database, 'a', false)).toEqual({ readers: 0, readsSince: undefined });
  expect(await readCompany(database, 'b', true)).toEqual({ readers: 0, readsSince: undefined });
});
