import { expect, inject, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { AdditiveSteps } from '../../../src/connector/store/additive-steps.ts';
import { databaseServer } from '../../../src/connector/store/connect/index.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { choiceOf } from '../../harness/open-store.ts';
import { serverDatabase } from '../../harness/test-database.ts';

/** Adds a column to the table in which each process writes its heartbeats. */
const STEP = '0051-known-by-processes+additive';

test('an additive step that takes long while it has a table locked is given up before others who wait for the table fail, and is done later', async () => {
  const server = inject('postgres');
  if (server === undefined) throw new Error('this test needs the PostgreSQL server of its project');
  const own = await serverDatabase(server, { template: server.migrated });
  onTestFinished(() => own[Symbol.asyncDispose]());
  const choice = choiceOf(own.config);
  const database = own.connect();
  onTestFinished(() => database.destroy());
  await database.schema.alterTable('processes', (table) => void table.dropColumn('schema'));
  await database('knex_migrations').where('name', STEP).delete();
  await database.raw(`
    CREATE FUNCTION take_long() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); END';
    CREATE EVENT TRIGGER slowly ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION take_long()`);
  const other = databaseServer(choice).connect('serve');
  onTestFinished(() => other.destroy());
  const areDone = () => new AdditiveSteps(databaseServer(choice), createLog('test', 'error')).areDone();

  const first = areDone();
  await waitFor('the step has the table', async () => {
    const { rows } = await database.raw(
      "SELECT 1 FROM pg_locks WHERE relation = 'processes'::regclass AND mode = 'AccessExclusiveLock' AND granted",
    );
    return rows.length > 0;
  });
  expect(await other('processes')).toEqual([]);
  expect(await first).toBe(false);
  await database.raw('DROP EVENT TRIGGER slowly');

  expect(await areDone()).toBe(true);
  expect(await database('knex_migrations').where('name', STEP).pluck('name')).toEqual([STEP]);
});
