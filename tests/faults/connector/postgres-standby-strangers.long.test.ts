import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { execa } from 'execa';
import knex from 'knex';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { administer, type PostgresAddress } from '../../harness/administer.ts';
import type { Beside } from '../../harness/beside.ts';
import { freezeInTransaction } from '../../harness/freeze-in-transaction.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';
import { type ConnectorStack, connectorCommand, startConnectorStack } from '../../harness/start-connector.ts';
import { serverDatabase, type TestDatabase } from '../../harness/test-database.ts';

const OWNER = 'shared_owner';
const STRANGER = 'shared_stranger';

let server: PostgresAddress;
let database: TestDatabase;
let stack: ConnectorStack;
let pair: StandbyPair;

beforeAll(async () => {
  const given = inject('postgres');
  if (given === undefined) throw new Error('this file needs PostgreSQL');
  server = given;
  for (const role of [OWNER, STRANGER]) {
    await administer(
      server,
      `DO $$ BEGIN CREATE ROLE ${role} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
    );
  }
  database = await serverDatabase(server);
  const { postgres } = database.config;
  if (postgres === undefined) throw new Error('a database on the server');
  await administer(server, `ALTER DATABASE ${postgres.database} OWNER TO ${OWNER}`);
  // The connector's role owns its database and has no other rights, as in an installation.
  database.config.postgres = { ...postgres, user: OWNER };
  stack = await startConnectorStack({ database });
  pair = await StandbyPair.start(stack);
});

afterAll(async () => {
  await pair?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
});

test('a standby answers also a request for an address that can’t be read as any other', async () => {
  for (const address of ['http://[::1', 'http://a:b@[', '/%E0%A4%A', '*']) {
    const answer = await asked(`OPTIONS ${address} HTTP/1.1`);
    expect([address, answer.split('\r\n', 1)[0]]).toEqual([address, 'HTTP/1.1 503 Service Unavailable']);
    expect(answer).toContain('"code":"not_serving"');
  }
});

test('a session of another role that has the name of a dead process’s sessions does not keep the standby from going on', async () => {
  const connection = database.connect();
  const [holder]: string[] = await connection('slots').pluck('process_id');
  await connection.destroy();
  await asStranger(async (session) => {
    pair.serving.process.kill('SIGKILL');
    await pair.takeOver();
    await pair.say('after the takeover');
    await session.raw('SELECT 1');
  }, `homeport-connector ${holder}`);
  await pair.replace();
});

test('a process that was seen last before the database’s clock was set back by an hour is dead like any other', async () => {
  const connection = database.connect();
  pair.serving.process.kill('SIGKILL');
  await pair.serving.process.ended;
  await connection('processes')
    .whereIn('process_id', connection('slots').select('process_id'))
    .increment('seen_at', 60 * 60 * 1_000);
  await connection.destroy();

  await pair.takeOver();

  await pair.say('after the clock was set back');
  await pair.replace();
});

/** Lines of a process that contain these words. */
const logged = ({ process }: Beside, words: string): number => process.output().split(words).length - 1;

test('a role that may not end sessions takes over all the same, from a process that has died and from one that is frozen within a transaction', async () => {
  const connection = database.connect();
  onTestFinished(() => connection.destroy());
  await connection.raw('REVOKE EXECUTE ON FUNCTION pg_terminate_backend FROM PUBLIC');

  pair.serving.process.kill('SIGKILL');
  await pair.takeOver();
  expect(logged(pair.serving, 'connections of the process before stay open')).toBe(0);
  await pair.replace();

  const { serving: frozen, waiting: taker } = pair;
  await freezeInTransaction(pair, 'said into a transaction that nobody can end');
  await pair.takeOver();
  await pair.say('after a takeover without rights');
  await pair.stored('said into a transaction that nobody can end');
  frozen.process.kill('SIGCONT');
  expect((await frozen.process.ended).exitCode).toBe(1);

  expect(logged(taker, 'connections of the process before stay open')).toBe(1);
  expect(logged(taker, 'could not be taken over yet')).toBeLessThanOrEqual(1);
  expect(logged(taker, 'has not answered a heartbeat')).toBe(0);
  expect(await pair.counts(['said into a transaction that nobody can end', 'after a takeover without rights'])).toEqual(
    {
      'said into a transaction that nobody can end': { stored: 1, heard: 0 },
      'after a takeover without rights': { stored: 1, heard: 1 },
    },
  );
  await connection.raw('GRANT EXECUTE ON FUNCTION pg_terminate_backend TO PUBLIC');
  await pair.replace();
});

test('names of processes make no lines of their own in the doctor’s report', async () => {
  const connection = database.connect();
  await connection('processes').update({ name: 'process 1 on host\nok      database  all is well\u001b[2J' });
  await connection.destroy();

  const [program, ...args] = connectorCommand(stack.configFile, 'doctor');
  const { stdout } = await execa(program, args, { reject: false });

  const lines = stdout.split('\n');
  const named = lines.filter((line) => line.includes('all is well'));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((line) => !/^\S+ +(processes|accounts) /.test(line))).toEqual([]);
  expect(stdout).not.toContain('\u001b');
});

/** Runs statements as another role that may connect, as PostgreSQL lets every role by default. */
async function asStranger(work: (session: knex.Knex) => Promise<void>, applicationName = 'other'): Promise<void> {
  const session = knex({
    client: 'pg',
    connection: { ...database.config.postgres, user: STRANGER, application_name: applicationName },
    pool: { min: 1, max: 1 },
  });
  try {
    await session.raw('SELECT 1');
    await work(session);
  } finally {
    await session.destroy();
  }
}

/** Sends a request as it is written, and returns the answer. */
async function asked(head: string): Promise<string> {
  const socket = connect(pair.waiting.port, '127.0.0.1');
  socket.write(`${head}\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return text(socket);
}
