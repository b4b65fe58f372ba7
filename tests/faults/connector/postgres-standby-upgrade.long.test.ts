import type { Knex } from 'knex';
import { expect, inject, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { healthOf, serves, startBeside } from '../../harness/beside.ts';
import { startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase } from '../../harness/test-database.ts';

const STEP = '0032-owed-passwords';
/** Round trip to a server on another continent, in milliseconds. */
const FAR_MS = 200;
/** Time in which the slot must be kept: longer than a process is trusted without a heartbeat. */
const KEPT_MS = 10_000;

const steps = (database: Knex): Promise<string[]> => database('knex_migrations').where('name', STEP).pluck('name');

test.each(['is stopped', 'is killed'])(
  'a standby of a newer version leaves the schema as it is until the process of the older one %s, then brings it up to date and goes on',
  async (how) => {
    const { stack, database } = await start();
    await takeBack(database);
    const pair = await StandbyPair.start(stack);
    onTestFinished(() => pair[Symbol.asyncDispose]());
    await pair.say('before the upgrade');
    expect(await healthOf(pair.waiting)).toMatchObject({ status: 503 });
    expect([await steps(database), await database.schema.hasTable('owed_passwords')]).toEqual([[], false]);

    if (how === 'is killed') pair.serving.process.kill('SIGKILL');
    const stopped = how === 'is stopped' ? pair.serving.process.stop() : undefined;
    await pair.takeOver();
    await stopped;
    await pair.say('after the upgrade');

    expect(await steps(database)).toEqual([STEP]);
    await waitFor('all passwords are known', async () => (await database('owed_passwords')).length === 0);
    const once = { stored: 1, heard: 1 };
    expect(await pair.counts(['before the upgrade', 'after the upgrade'])).toEqual({
      'before the upgrade': once,
      'after the upgrade': once,
    });
  },
);

test('a standby of an older version, which a newer one has overtaken, ends instead of serving, and leaves the database to the newer one', async () => {
  const { stack, database } = await start();
  const pair = await StandbyPair.start(stack);
  onTestFinished(() => pair[Symbol.asyncDispose]());
  // This pretends that the process that serves is of a newer version.
  await database('knex_migrations').insert({ name: '0099-of-a-newer-version', batch: 99, migration_time: new Date() });

  const stopped = pair.serving.process.stop();
  const { exitCode } = await pair.waiting.process.ended;
  await stopped;

  expect(exitCode).not.toBe(0);
  expect(pair.waiting.process.output()).toContain('a newer version of homeport-connector has changed it');
  expect(await database('slots').pluck('process_id')).toEqual([null]);
  expect(await database('processes')).toEqual([]);
});

test('a standby of an older version goes on where the newer one has changed the database by an additive step alone', async () => {
  const { stack, database } = await start();
  const pair = await StandbyPair.start(stack);
  onTestFinished(() => pair[Symbol.asyncDispose]());
  // This pretends that the process that serves is of a newer version.
  const name = '0099-of-a-newer-version+additive';
  await database('knex_migrations').insert({ name, batch: 99, migration_time: new Date() });

  await pair.serving.process.stop();
  await pair.takeOver();
  await pair.say('said by the older version');

  // A start of the older version, which is the way back, accepts it as well.
  await pair.replace();
  expect(pair.waiting.process.output()).not.toContain('a newer version');
  expect(pair.heard('said by the older version')).toHaveLength(1);
});

test('a standby that could not take over any more ends while the other one serves, and says why', async () => {
  const { stack, database } = await start();
  const waiting = await startBeside(stack);
  onTestFinished(() => waiting.process.stop());
  const { port } = new URL(stack.baseUrl);
  // This pretends that the process that serves is of a newer version.
  await database('knex_migrations').insert({ name: '0099-of-a-newer-version', batch: 99, migration_time: new Date() });

  const { exitCode } = await waiting.process.ended;

  expect(exitCode).toBe(1);
  expect(waiting.process.output()).toContain('a newer version of homeport-connector has changed it');
  expect(await healthOf({ port: Number(port) })).toMatchObject({ status: 200 });
  expect(await database('processes')).toHaveLength(1);
});

test('a standby far from the database takes over, keeps what it has taken, and attaches', async () => {
  const given = inject('postgres');
  if (given === undefined) throw new Error('there is no PostgreSQL in this run');
  const folder = await tempFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const proxy = await startPostgresProxy(folder.path, given);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  proxy.answerLaterBy(FAR_MS);
  const own = await serverDatabase(given);
  const stack = await startConnectorStack({ database: own });
  onTestFinished(() => stack[Symbol.asyncDispose]());
  const far = { database: { postgres: { ...own.config.postgres, host: folder.path } } };
  const pair = await StandbyPair.start(stack, far);
  onTestFinished(() => pair[Symbol.asyncDispose]());
  await pair.say('before the takeover');

  pair.serving.process.kill('SIGKILL');
  await pair.takeOver();
  await pair.say('after the takeover');
  const until = performance.now() + KEPT_MS;
  await waitFor('it has kept the database', async () => {
    expect(await healthOf(pair.serving)).toMatchObject({ status: 200 });
    return performance.now() > until;
  });

  expect(await pair.counts(['before the takeover', 'after the takeover'])).toEqual({
    'before the takeover': { stored: 1, heard: 1 },
    'after the takeover': { stored: 1, heard: 1 },
  });
  // Another one takes over from it, too.
  const next = await startBeside(stack, far);
  onTestFinished(() => next.process.stop());
  const stopped = pair.serving.process.stop();
  await serves(next);
  await stopped;
});

async function start() {
  const stack = await startConnectorStack();
  onTestFinished(() => stack[Symbol.asyncDispose]());
  const database = stack.database.connect();
  onTestFinished(() => database.destroy());
  return { stack, database };
}

/** Takes the database back to the state of a version that does not know the step yet. */
async function takeBack(database: Knex): Promise<void> {
  await database.schema.dropTable('owed_passwords');
  await database('knex_migrations').where('name', STEP).delete();
}
