import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type OpenDatabase, openDatabase } from '../../../src/connector/store/database.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { choiceOf } from '../../harness/open-store.ts';
import { startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase, type TestDatabase } from '../../harness/test-database.ts';

/** The keys of the claim. */
const CLAIM = [0x686f6d65, 0x706f7274];
/** Duration of the freeze in milliseconds: long enough that the claim is not trusted any more. */
const FROZEN_MS = 40_000;

/** Options of a process that waits until the first one is dead. */
const WAITING = { waits: () => undefined };

const write = ({ database }: OpenDatabase, name: string): Promise<unknown> =>
  database('totals').insert({ name, value: 1 });

test('a process that was cut off writes nothing once another one may have the database, not even what it had sent', async () => {
  await using folder = await tempFolder();
  const { server, own } = await serverOfRun();
  await using _own = own;
  await using proxy = await startPostgresProxy(folder.path, server);
  const { postgres } = own.config;
  if (postgres === undefined) throw new Error('the database is on PostgreSQL');
  const first = await openDatabase(choiceOf({ postgres: { ...postgres, host: folder.path } }), systemClock);
  const lost = endOf(first);
  await write(first, 'before');

  proxy.cut();
  const sent = write(first, 'sent into the cut');
  await expect(sent).rejects.toThrow();
  await expect(write(first, 'after that')).rejects.toThrow('The claim on the database is in doubt');
  await endSessions(own, 'all');
  const second = await openDatabase(choiceOf(own.config), systemClock, undefined, undefined, WAITING);
  const before = await written(own);
  proxy.mend();
  let isLost = false;
  void lost.then(() => {
    isLost = true;
  });
  await waitFor('the first one ends', async () => {
    await write(first, 'late').catch(() => undefined);
    return isLost;
  });

  expect(await written(own)).toEqual(before);
  expect(before).toContain('before');
  await first.close();
  await second.close();
});

test('a process that was frozen writes nothing when it wakes and another one has the database', async () => {
  const { own } = await serverOfRun();
  await using _own = own;
  const frozen = startProcess({
    name: 'endless writer',
    command: [process.execPath, 'tests/harness/endless-writer-main.ts', JSON.stringify(own.config)],
  });
  onTestFinished(() => frozen.stop());
  await waitFor('it writes', async () => (await written(own)).length > 10, { process: frozen });

  frozen.kill('SIGSTOP');
  await delay(FROZEN_MS);
  await endSessions(own, 'all');
  const second = await openDatabase(choiceOf(own.config), systemClock, undefined, undefined, WAITING);
  const before = await written(own);
  frozen.kill('SIGCONT');
  const { exitCode } = await frozen.ended;

  expect(exitCode).toBe(1);
  expect(await written(own)).toEqual(before);
  await second.close();
});

test('a process whose lock the server has ended stops at once, and ends when another one has it', async () => {
  const { own } = await serverOfRun();
  await using _own = own;
  const first = await openDatabase(choiceOf(own.config), systemClock);
  const lost = endOf(first);
  const taker = own.connect();
  // It waits for the lock, and gets it before the first one can ask for it again.
  const taken = taker.raw('SELECT pg_advisory_lock(?, ?)', CLAIM).then(() => undefined);
  await waitFor('it waits', async () => {
    const { rows } = await first.database.raw("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    return rows.length > 0;
  });

  await endSessions(own, 'claim');
  await taken;

  await lost;
  await expect(write(first, 'late')).rejects.toThrow('claim');
  await first.close();
  await taker.destroy();
});

test('a start waits for an earlier version that is about to end', async () => {
  const { own } = await serverOfRun();
  await using _own = own;
  await (await openDatabase(choiceOf(own.config), systemClock)).close();
  const earlier = own.connect();
  await earlier.raw('SELECT pg_advisory_lock(?, ?)', CLAIM);
  const opening = openDatabase(choiceOf(own.config), systemClock);
  const there = own.connect();
  await waitFor('it has asked', async () => {
    const { rows } = await there.raw("SELECT 1 FROM pg_stat_activity WHERE application_name LIKE '%connector prc%'");
    return rows.length > 0;
  });
  await there.destroy();

  await earlier.destroy();

  await (await opening).close();
});

test('a process whose connections were ended goes on when no other one has the database', async () => {
  const { own } = await serverOfRun();
  await using _own = own;
  const first = await openDatabase(choiceOf(own.config), systemClock);
  let isLost = false;
  first.onLost(() => {
    isLost = true;
  });

  await endSessions(own, 'all');

  await waitFor('it writes again', () =>
    write(first, 'after').then(
      () => true,
      () => false,
    ),
  );
  expect(isLost).toBe(false);
  await first.close();
});

/** Ends the sessions of a process, as the server does 30 s after its last packet. */
async function endSessions(own: TestDatabase, which: 'all' | 'claim'): Promise<void> {
  const there = own.connect();
  await there.raw(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'homeport-connector%'
     AND datname = current_database() AND (? OR pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory'))`,
    [which === 'all'],
  );
  await there.destroy();
}

async function written(own: TestDatabase): Promise<unknown[]> {
  const there = own.connect();
  const names: unknown[] = await there('totals').orderBy('name').pluck('name');
  await there.destroy();
  return names;
}

async function serverOfRun() {
  const server = inject('postgres');
  if (server === undefined) throw new Error('there is no PostgreSQL in this run');
  return { server, own: await serverDatabase(server) };
}

/** Resolves when the process has lost its claim. */
function endOf(opened: OpenDatabase): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  opened.onLost(() => resolve());
  return promise;
}
