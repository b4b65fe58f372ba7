import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { runConnector } from '../../harness/lonely-connector.ts';
import {
  connectedTo,
  emptyTarget,
  type MovableInstallation,
  type MoveTarget,
  movableInstallation,
  startMove,
} from '../../harness/move.ts';
import { fileDatabase } from '../../harness/test-database.ts';

const BAD = 78;
/** The keys of the claim. */
const CLAIM = [0x686f6d65, 0x706f7274];

let own: MovableInstallation;

beforeAll(async () => {
  own = await movableInstallation();
});

beforeEach(() => own.renew());

afterAll(() => own?.[Symbol.asyncDispose]());

for (const [when, isOver] of [
  ['and still has it', false],
  ['for a moment', true],
] as const) {
  test(`a move whose source another process took ${when} is refused, and no connector starts on what was copied`, async () => {
    await using source = await emptyTarget();
    await own.move(source.url);
    const file = join(own.folder, `late-${isOver}.db`);
    await using started = await waitingMove(source, file);
    await using other = await writtenByAnother(source);
    if (isOver) await other.end();

    await started.goOn();
    const { exitCode, stdout, stderr } = await started.moving;

    expect(stdout).not.toContain('moved:');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^homeport-connector: database\.postgres: test_\w+ at .*: another process may have changed it while it moved: expected one connection .*: end every connector that uses it, then run this again\n?$/,
      ),
    ]);
    const late = await runConnector(await own.configIn(`late-${isOver}`, { database: { sqlite: { file } } }));
    expect(late).toMatchObject({ exitCode: BAD });
    expect(late.stderr).toMatch(/another database is being moved into it/);
  });
}

test('a move whose source stayed as it was ends well when it is asked for again after its claim was lost', async () => {
  await using source = await emptyTarget();
  await own.move(source.url);
  const file = join(own.folder, 'again.db');
  await using started = await waitingMove(source, file);
  await using there = await connectedTo(source);
  const pid = await claimHolder(there.database);
  await there.database.raw('SELECT pg_terminate_backend(?)', [pid ?? 0]);
  await waitFor('the move has the claim again', async () => {
    const now = await claimHolder(there.database);
    return now !== undefined && now !== pid;
  });

  await started.goOn();
  const first = await started.moving;
  const second = await own.move(`sqlite:${file}`, { from: source.url });

  expect(first.exitCode).toBe(1);
  expect(second).toMatchObject({ exitCode: 0, stderr: '' });
  expect(second.stdout).toContain('a move was begun before: it is resumed');
  const here = fileDatabase(file).connect();
  expect(await here.schema.hasTable('unfinished_move')).toBe(false);
  await here.destroy();
  expect((await stat(file)).size).toBeGreaterThan(0);
});

/** Returns the process that holds the claim; undefined while it is free. */
async function claimHolder(database: Knex): Promise<number | undefined> {
  const { rows } = await database.raw(
    `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ? AND objid = ?
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    CLAIM,
  );
  return rows[0]?.pid;
}

/** A move back out of this database that has begun to read, and waits for a table. */
async function waitingMove(source: MoveTarget, file: string) {
  const { database } = await connectedTo(source);
  const lock = await database.transaction();
  await lock.raw('LOCK TABLE totals IN ACCESS EXCLUSIVE MODE');
  const moving = startMove(own.configFile, source.url, `sqlite:${file}`);
  await waitFor('the move waits for the table', async () => {
    const { rows } = await lock.raw("SELECT 1 FROM pg_locks WHERE relation = 'totals'::regclass AND NOT granted");
    return rows.length > 0;
  });
  return {
    moving,
    goOn: () => lock.rollback(),
    [Symbol.asyncDispose]: async () => {
      if (!lock.isCompleted()) await lock.rollback();
      await moving;
      await database.destroy();
    },
  };
}

/**
 * Acts as another connector, which gets the claim when its holder's connection ends: writes an entry, and ends when
 * `end` is called.
 */
async function writtenByAnother(source: MoveTarget): Promise<AsyncDisposable & { end(): Promise<void> }> {
  const [looking, other] = [await connectedTo(source), await connectedTo(source)];
  const own = await other.database.client.acquireConnection();
  const asOther = (sql: string, bindings: readonly unknown[] = []) =>
    other.database.raw(sql, bindings as Knex.RawBinding[]).connection(own);
  const pid = await claimHolder(looking.database);
  const taken = asOther('SELECT pg_advisory_lock(?, ?)', CLAIM).then(() => true);
  await waitFor('another process waits for the claim', async () => {
    const { rows } = await looking.database.raw("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    return rows.length > 0;
  });
  await looking.database.raw('SELECT pg_terminate_backend(?)', [pid ?? 0]);
  await taken;
  const entry = await looking.database('entries').first();
  await looking.database('entries').insert({ ...entry, row: 900_000, entry_id: 'ent_late', fingerprint: 'late' });
  return {
    end: async () => {
      await asOther('SELECT pg_advisory_unlock_all()');
      await waitFor('the move has the claim again', () => claimHolder(looking.database));
    },
    [Symbol.asyncDispose]: async () => {
      await other.database.client.releaseConnection(own);
      await other[Symbol.asyncDispose]();
      await looking[Symbol.asyncDispose]();
    },
  };
}
