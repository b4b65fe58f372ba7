import knex from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { applicationName } from '../../../../../src/connector/store/hold/application-name.ts';
import { beat, readSlot } from '../../../../../src/connector/store/hold/process-rows.ts';
import { takeSlot } from '../../../../../src/connector/store/hold/take-slot.ts';
import { seeSharing } from '../../../../../src/connector/store/hold/who-is-there.ts';
import { migratedDatabase } from '../../../../harness/migrated-database.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';
import type { DatabaseConfig } from '../../../../harness/test-database.ts';

const process = (processId: string) => ({ processId, name: `${processId} on host`, version: '1' });

test('a process that waits with a clock that is more than 30 s off is no one that can take over', async () => {
  const { made, database } = await open();

  for (const [id, aheadMs] of [
    ['b', 31_000],
    ['c', -120_000],
    ['d', 29_000],
  ] as const) {
    await openSession(made.config, id);
    await beat(database, process(id), aheadMs);
  }

  const { holder, waiting, unfit } = await seeSharing(database);
  expect(holder).toMatchObject({ name: 'a on host', isSilent: false });
  expect(waiting).toEqual(['d on host']);
  expect(unfit).toEqual(['b on host', 'c on host']);
});

test('each live process is listed with its version, what it does, and its clock', async () => {
  const { made, database } = await open();
  for (const id of ['a', 'b', 'c']) await openSession(made.config, id);
  await beat(database, { ...process('b'), version: '2' }, 6_000);
  await beat(database, process('c'), 0);
  await database('processes').where('process_id', 'b').update({ reads_since: 1 });

  const { members } = await seeSharing(database);

  expect(members).toEqual([
    { name: 'a on host', version: '1', does: 'holds', clockAheadMs: 0 },
    { name: 'b on host', version: '2', does: 'serves', clockAheadMs: 6_000 },
    { name: 'c on host', version: '1', does: 'waits', clockAheadMs: 0 },
  ]);
});

test('a process that has no session with the server any more waits no more, however new its last heartbeat is', async () => {
  const { made, database } = await open();
  await beat(database, process('killed'), 0);
  await openSession(made.config, 'b');
  await beat(database, process('b'), 0);

  const { waiting } = await seeSharing(database);

  expect(waiting.toSorted()).toEqual(made.kind === 'postgres' ? ['b on host'] : ['b on host', 'killed on host']);
});

/** Opens a session of a process with a server; a file has no sessions. */
async function openSession({ postgres }: DatabaseConfig, processId: string): Promise<void> {
  if (postgres === undefined) return;
  const connection = { ...postgres, application_name: applicationName(processId) };
  const session = knex({ client: 'pg', connection, pool: { min: 1, max: 1 } });
  onTestFinished(() => session.destroy());
  await session.raw('SELECT 1');
}

async function open() {
  const folder = await tempFolder();
  const made = await migratedDatabase(folder.path);
  const database = made.connect();
  onTestFinished(async () => {
    await database.destroy();
    await made[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  await beat(database, process('a'), 0);
  await takeSlot(database, process('a'), await readSlot(database));
  return { made, database };
}
