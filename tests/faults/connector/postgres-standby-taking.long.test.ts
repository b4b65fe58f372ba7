import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Beside } from '../../harness/beside.ts';
import { type PostgresProxy, startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase, type TestDatabase } from '../../harness/test-database.ts';

/** Shorter than an answer to a statement of the service may take. */
const RIVAL_SECONDS = 24;
const RIVAL = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'rival'";
/** The second key of the lock by which a session of heartbeats keeps earlier versions out. */
const PORT = 0x706f7274;

let made: AsyncDisposableStack;
let proxy: PostgresProxy;
/** The database behind the proxy, as an option of a configuration. */
let proxied: Record<string, unknown>;
let stack: ConnectorStack;
let pair: StandbyPair;
let database: Knex;
let connect: () => Knex;

beforeAll(async () => {
  const server = inject('postgres');
  if (server === undefined) throw new Error('there is no PostgreSQL in this run');
  made = new AsyncDisposableStack();
  const folder = made.use(await tempFolder());
  proxy = made.use(await startPostgresProxy(folder.path, server));
  const own = await serverDatabase(server);
  // One connection serves everything: while it hangs, no other is free.
  const postgres = { ...own.config.postgres, poolSize: 1 };
  stack = made.use(await startConnectorStack({ database: { ...own, config: { postgres } } as TestDatabase }));
  proxied = { database: { postgres: { ...postgres, host: folder.path } } };
  pair = made.use(await StandbyPair.start(stack, proxied));
  connect = own.connect;
  database = connect();
  made.defer(() => database.destroy());
});

afterAll(() => made?.disposeAsync());

/** Rows of `pg_stat_activity` that belong to a process. */
const sessionsOf = ({ process }: Beside): string =>
  `FROM pg_stat_activity WHERE application_name = (
     SELECT 'homeport-connector ' || process_id FROM processes WHERE name LIKE 'process ${process.pid} on %')`;

const storedPasswords = (): Promise<string[]> => database('accounts').pluck('bouncer_password_sealed');

test('a standby whose packets vanish while it takes the slot tries again on another connection', async () => {
  const { rows } = await database.raw(`SELECT pid ${sessionsOf(pair.waiting)}`);
  expect(rows).toHaveLength(1);
  await inTheTaking(async () => proxy.forget());
  await using _rival = await rival();

  const another = `SELECT 1 ${sessionsOf(pair.waiting)} AND pid <> ${rows[0].pid}`;
  expect(await isBeforeRival('it has another connection', another)).toBe(true);

  await pair.takeOver();
  await pair.say('after the lost packets');
  await pair.replace();
});

test('a standby that is stopped while it waits for the slot’s lock ends in order, and leaves nothing behind', async () => {
  const { pid } = pair.waiting.process;
  await inTheTaking(async ({ process }) => {
    await process.stop();
    expect((await process.ended).exitCode).toBe(0);
    expect(process.output()).not.toContain('could not close');
    expect(await database('processes').where('name', 'like', `process ${pid} on %`)).toEqual([]);
  });
  await pair.replace();
  await pair.takeOver();
  await pair.replace();
});

test('a process whose only connection hangs at the server hands over at once', async () => {
  const passwords = await storedPasswords();
  const { process: ended } = pair.serving;
  const { rows } = await database.raw(
    `SELECT pid ${sessionsOf(pair.serving)} AND pid NOT IN (SELECT pid FROM pg_locks WHERE objid = ${PORT})`,
  );
  const pids: number[] = rows.map(({ pid }: { pid: number }) => pid);
  expect(pids).toHaveLength(1);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    const stopped = ended.stop();
    await waitFor('it has given the slot back', async () => ended.output().includes('hands over'), { process: ended });
    await stopped;
    expect((await ended.ended).exitCode).toBe(0);
    expect(ended.output()).not.toContain('"part":"database"');
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
  await pair.takeOver();
  // The slot was given back: a dead process would have lost its password.
  expect(await storedPasswords()).toEqual(passwords);
  await pair.replace();
});

test('a process for which only one waits that was killed does not wait for that one', async () => {
  const killed = pair.waiting;
  const sessions = sessionsOf(killed);
  killed.process.kill('SIGKILL');
  await killed.process.ended;
  await there('its sessions have ended', `SELECT 1 ${sessions}`, false);
  const { process: ended } = pair.serving;

  await ended.stop();

  expect((await ended.ended).exitCode).toBe(0);
  expect(ended.output()).not.toContain('hands over');
});

async function there(what: string, query: string, isThere = true): Promise<void> {
  await waitFor(what, async () => (await database.raw(query)).rows.length > 0 === isThere);
}

/** Kills the process that serves; calls back when a process is within the taking of the slot, and can't go on. */
async function inTheTaking(act: (taking: Beside) => Promise<void>): Promise<void> {
  const taking = pair.waiting;
  const dead = pair.serving.process;
  await database.transaction(async (locking) => {
    await locking('processes').where('name', 'like', `process ${dead.pid} on %`).forUpdate().select('name');
    dead.kill('SIGKILL');
    await there('it takes the slot', `SELECT 1 ${sessionsOf(taking)} AND wait_event_type = 'Lock'`);
    await act(taking);
  });
}

/**
 * A transaction that the server ends after RIVAL_SECONDS. An event before its end happens within that time, by the
 * server's clock.
 */
async function rival(): Promise<AsyncDisposable> {
  const other = connect();
  const transaction = await other.transaction();
  await transaction.raw(
    `SELECT set_config('application_name', 'rival', false),
       set_config('idle_in_transaction_session_timeout', '${RIVAL_SECONDS}s', false)`,
  );
  return {
    [Symbol.asyncDispose]: async () => {
      await transaction.rollback().catch(() => undefined);
      await other.destroy();
    },
  };
}

/** Waits until a query finds rows, or no rows; returns whether the rival was still there then. */
async function isBeforeRival(what: string, query: string, isThere = true): Promise<boolean> {
  return waitFor(what, async () => {
    const { rows } = await database.raw(`SELECT EXISTS (${query}) AS is_there, EXISTS (${RIVAL}) AS is_before`);
    return rows[0].is_there === isThere ? { is: rows[0].is_before as boolean } : undefined;
  }).then(({ is }) => is);
}
