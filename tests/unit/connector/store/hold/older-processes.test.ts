import { expect, test } from 'vitest';
import { NewerHolder } from '../../../../../src/connector/store/hold/newer-holder.ts';
import { readOlder } from '../../../../../src/connector/store/hold/older-rows.ts';
import { beat } from '../../../../../src/connector/store/hold/process-rows.ts';
import { breakingSteps } from '../../../../../src/connector/store/migrate.ts';
import { migratedDatabase } from '../../../../harness/migrated-database.ts';
import { openKeepers } from '../../../../harness/played-keepers.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';

const SECOND_MS = 1_000;

test('a process of a newer version leaves a free slot to those of an earlier one, says once for whom it waits, and takes it when the last one has ended', async () => {
  const { time, slot, start, reported } = openKeepers();
  await time.pass(
    (async () => {
      for (const id of ['older', 'another older']) slot.older.add(id);
      const older = start('older');
      const held = await older.taken;
      const newer = start('newer');
      await time.sleep(5 * SECOND_MS);
      const another = start('another older');
      await another.seen();

      await held.release();
      await another.taken;
      await time.sleep(60 * SECOND_MS);
      expect([slot.holder, newer.hasSlot]).toEqual(['another older', false]);

      await another.release();
      await newer.taken;
      expect(reported).toEqual(['waits for older']);
    })(),
  );
});

test('two processes of a newer version that wait for an older one do not wait for each other after it', async () => {
  const { time, slot, start } = openKeepers();
  await time.pass(
    (async () => {
      slot.older.add('older');
      const older = start('older');
      await older.taken;
      const newer = [start('newer'), start('another newer')];
      await Promise.all(newer.map((each) => each.seen()));

      await older.release();
      await Promise.race(newer.map((each) => each.taken));
      expect(newer.filter(({ hasSlot }) => hasSlot)).toHaveLength(1);
    })(),
  );
});

test('a dead process of an earlier version is waited for until it counts as dead, with the slot or without it', async () => {
  for (const holder of [undefined, 'older']) {
    const { time, slot, start } = openKeepers();
    await time.pass(
      (async () => {
        slot.older.add('older');
        slot.hear('older');
        slot.holder = holder;
        const from = time.now();

        await start('newer').taken;

        expect(time.now() - from).toBeGreaterThanOrEqual(9 * SECOND_MS);
        expect(time.now() - from).toBeLessThanOrEqual(13 * SECOND_MS);
      })(),
    );
  }
});

test('an update of the only process waits for no one: its run before has certainly ended', async () => {
  const { time, slot, start, reported } = openKeepers();
  await time.pass(
    (async () => {
      slot.older.add('before');
      await start('before').taken;
      slot.cut.add('before');
      const from = time.now();

      await start('after', 0, { processId: 'before', isCertain: true }).taken;

      expect(time.now() - from).toBeLessThan(SECOND_MS);
      expect(reported).toEqual([]);
    })(),
  );
});

test('a process of an earlier version ends where a living newer one has the slot, and takes that of a dead one', async () => {
  const { time, slot, start } = openKeepers();
  await time.pass(
    (async () => {
      const newer = start('newer');
      await newer.taken;
      for (const id of ['older', 'older again']) slot.older.add(id);

      await expect(start('older').taken).rejects.toThrow(NewerHolder);

      slot.cut.add('newer');
      await time.sleep(9 * SECOND_MS);
      await start('older again').taken;
    })(),
  );
});

test('older are processes that lack a step, or do not write what they know', async () => {
  await using folder = await tempFolder();
  await using made = await migratedDatabase(folder.path);
  const database = made.connect();
  const known = await breakingSteps();
  const [before, newest] = known.slice(-2);
  const own = { processId: 'own', name: 'own', version: '2' };
  const rows: [string, string | null][] = [
    ['knows all', newest ?? ''],
    ['lacks one', before ?? ''],
    ['knows more', '9999-of-later'],
    ['does not write it', null],
  ];
  await beat(database, own, 0);
  for (const [name, schema] of rows) {
    await beat(database, { processId: name, name, version: '2' }, 0);
    await database('processes').where('process_id', name).update({ schema });
  }

  const older = await readOlder(database, 'own', [newest ?? '']);

  expect(older.map(({ name }) => name).toSorted()).toEqual(['does not write it', 'lacks one']);
  await database.destroy();
});
