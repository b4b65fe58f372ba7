import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';

/** Adds a column to the table in which each process writes its heartbeats. */
const STEP = '0051-known-by-processes+additive';

test('an update waits for a backup that reads the table of heartbeats for longer than a process is trusted without one, and goes on after it', async () => {
  const stack = await startConnectorStack();
  onTestFinished(() => stack[Symbol.asyncDispose]());
  const database = stack.database.connect();
  onTestFinished(() => database.destroy());
  await stack.connector.stop();
  await database.schema.alterTable('processes', (table) => void table.dropColumn('schema'));
  await database('knex_migrations').where('name', STEP).delete();
  const backup = await database.transaction();
  onTestFinished(async () => void (await backup.rollback().catch(() => undefined)));
  await backup.raw('LOCK TABLE processes IN ACCESS SHARE MODE');

  const starting = stack.restartConnector();
  const hasWaited = waitFor(
    'the step has waited for nine seconds',
    async () => {
      const { rows } = await database.raw(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query ILIKE 'alter table%' AND clock_timestamp() - query_start > interval '9 s'`,
      );
      return rows.length > 0;
    },
    { timeoutMs: 90_000 },
  );
  const first = await Promise.race([hasWaited.then(() => 'waits'), starting.then(() => 'has started')]);
  await backup.rollback();
  await starting;

  expect(first).toBe('waits');
  expect(await database('knex_migrations').where('name', STEP).pluck('name')).toEqual([STEP]);
});
