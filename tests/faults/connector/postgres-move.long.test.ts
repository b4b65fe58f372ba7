import type { Knex } from 'knex';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { migrateDatabase } from '../../../src/connector/store/database.ts';
import { tablesToMove } from '../../../src/connector/store/move/tables.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { runConnector } from '../../harness/lonely-connector.ts';
import {
  connectedTo,
  digestOf,
  emptyTarget,
  MORE_ENTRIES,
  type MovableInstallation,
  type MoveTarget,
  movableInstallation,
  startMove,
} from '../../harness/move.ts';

const BAD = 78;

let own: MovableInstallation;

beforeAll(async () => {
  own = await movableInstallation();
});

beforeEach(() => own.renew());

afterAll(() => own?.[Symbol.asyncDispose]());

test('every row of every table moves as it is, new rows get new numbers, and the file stays as it is', async () => {
  await using target = await emptyTarget();
  const before = await digestOf(own.file);

  const { exitCode, stdout, stderr } = await own.move(target.url);

  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/compared: \d+ tables have the same number of rows and the same checksum on both sides/);
  expect(await digestOf(own.file)).toBe(before);
  const there = target.connect();
  const tables = await tablesToMove();
  const [seen, expected]: Record<string, unknown>[] = [{}, {}];
  await own.inFile(async (here) => {
    for (const { name, keys, columns } of tables) {
      const names = columns.map((column) => column.name);
      const rowsOf = async (database: Knex) => {
        const rows: Record<string, unknown>[] = await database(name).select(names);
        const asText = (row: Record<string, unknown>) =>
          JSON.stringify(names.map((each) => (row[each] === null ? null : String(row[each]))));
        return rows.map(asText).sort();
      };
      (seen as Record<string, unknown>)[name] = await rowsOf(there);
      (expected as Record<string, unknown>)[name] = await rowsOf(here);
      expect(keys.length).toBeGreaterThan(0);
    }
  });
  expect(seen).toEqual(expected);
  const [newest] = await own.inFile((here) => here('sqlite_sequence').where('name', 'entries').pluck('seq'));
  const { rows }: { rows: { next: string }[] } = await there.raw(
    "SELECT nextval(pg_get_serial_sequence('entries', 'row')) AS next",
  );
  await there.destroy();
  expect(Number(rows[0]?.next)).toBe(Number(newest) + 1);
});

test('a move that is killed goes on where it was, and meanwhile no process starts on a part of an installation', async () => {
  await using target = await emptyTarget();
  await using there = await connectedTo(target);
  const { copied } = await stopInEntries(target, there.database, (first) => first.kill('SIGKILL'));
  expect(copied).toBeGreaterThan(0);
  expect(copied).toBeLessThan(MORE_ENTRIES);

  const config = await own.configIn('half', { database: target.config });
  for (const command of ['run', 'migrate']) {
    const { exitCode, stderr } = await runConnector(config, command);
    expect(exitCode).toBe(BAD);
    expect(stderr).toMatch(
      /^homeport-connector: database\.postgres: .*another database is being moved into it.*again$/,
    );
  }

  const { exitCode, stdout } = await own.move(target.url);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('a move was begun before: it is resumed');
  expect(stdout).toContain('the same checksum on both sides');
  expect(await there.database.schema.hasTable('unfinished_move')).toBe(false);
});

test('a move that is killed twice while rows are copied goes on each time, and ends with the same rows', async () => {
  await using target = await emptyTarget();
  await using there = await connectedTo(target);
  const before = await digestOf(own.file);
  const first = await stopInEntries(target, there.database, (move) => move.kill('SIGKILL'), 2_500);
  const second = await stopInEntries(target, there.database, (move) => move.kill('SIGKILL'), 3_500);

  expect(first.copied).toBeGreaterThan(0);
  expect(second.copied).toBeGreaterThan(first.copied);
  expect(second.copied).toBeLessThan(MORE_ENTRIES);
  const { exitCode, stdout, stderr } = await own.move(target.url);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toContain('the same checksum on both sides');
  expect(await digestOf(own.file)).toBe(before);
  const idsIn = (database: Knex): Promise<unknown[]> => database('entries').orderBy('row').pluck('entry_id');
  expect(await idsIn(there.database)).toEqual(await own.inFile(idsIn));
});

test('a move whose connections are cut says so in one line, and goes on when it is asked to', async () => {
  await using target = await emptyTarget();
  await using there = await connectedTo(target);
  const { ended } = await stopInEntries(target, there.database, () =>
    there.database.raw(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE ?',
      ['homeport-connector%'],
    ),
  );

  expect(ended.exitCode).toBe(1);
  expect(String(ended.stderr).trim().split('\n')).toHaveLength(1);
  expect(ended.stdout).toContain('the same command resumes the move');
  expect(await own.move(target.url)).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a copy that was damaged meanwhile is found, named, and never served', async () => {
  await using target = await emptyTarget();
  await using there = await connectedTo(target);
  await stopInEntries(target, there.database, (first) => first.kill('SIGKILL'));
  await there.database('entries').where('entry_id', 'ent_more7').update({ sender: 'mallory' });

  const { exitCode, stderr } = await own.move(target.url);

  expect(exitCode).toBe(BAD);
  expect(stderr).toMatch(/table entries is not what was to be moved: expected \d+ rows with checksum \w{32}, received/);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(await there.database.schema.hasTable('unfinished_move')).toBe(true);
});

test('a move goes on only with the database that it began with', async () => {
  await using target = await emptyTarget();
  await using there = await connectedTo(target);
  await stopInEntries(target, there.database, (first) => first.kill('SIGKILL'));
  await own.inFile((here) => here('entries').where('entry_id', 'ent_more9').update({ sender: 'somebody else' }));

  const { exitCode, stderr } = await own.move(target.url);

  expect(exitCode).toBe(BAD);
  expect(stderr).toMatch(/holds a part of another database .*table entries differs\): make it anew/);
});

test('a move that is asked for again has nothing to do; once the new database has changed it is refused', async () => {
  await using target = await emptyTarget();
  expect(await own.move(target.url)).toMatchObject({ exitCode: 0 });
  const again = await own.move(target.url);
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.stdout).toContain('moved: it was moved before, and all rows are the same on both sides');
  await using there = await connectedTo(target);
  await there.database('accounts').update({ nick: 'another' });

  const { exitCode, stderr } = await own.move(target.url);

  expect(exitCode).toBe(BAD);
  expect(stderr).toMatch(/is not empty \(table accounts has rows\): name an empty database/);
});

type Target = MoveTarget;

/** Has a move come to the middle of the entries, ends it there, and returns how it ended and how many it had copied. */
async function stopInEntries(
  target: Target,
  there: Knex,
  end: (first: ReturnType<typeof startMove>) => unknown,
  atEntry = MORE_ENTRIES - 1_000,
) {
  const settings = { password: undefined, tls: 'off', poolSize: 1 } as const;
  // If a move was begun, its tables are there, and no other work may start on them.
  if (!(await there.schema.hasTable('unfinished_move'))) {
    await migrateDatabase({ postgres: { ...(target.config.postgres ?? raise()), ...settings } }, systemClock);
  }
  const held = await there.transaction();
  await held.raw('SELECT pg_advisory_xact_lock(15)');
  await there.raw(`
    CREATE FUNCTION wait_there() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN IF NEW.entry_id = ''ent_more${atEntry}'' THEN PERFORM pg_advisory_xact_lock(15); END IF; RETURN NEW; END';
    CREATE TRIGGER wait_there BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION wait_there()`);
  const first = startMove(own.configFile, `sqlite:${own.file}`, target.url);
  await waitFor('the move waits', async () => {
    const { rows } = await there.raw(
      "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 15 AND NOT granted",
    );
    return rows.length > 0;
  });
  await end(first);
  const ended = await first;
  await held.rollback();
  await there.raw('DROP FUNCTION wait_there CASCADE');
  const [copied] = await there('unfinished_move').where('table_name', 'entries').pluck('copied_rows');
  return { ended, copied: Number(copied) };
}

function raise(): never {
  throw new Error('the target is on PostgreSQL');
}

for (const [why, seq] of [
  ['is not there', undefined],
  ['is less than what there is', 3],
] as const) {
  test(`new rows get numbers behind all others where the last number in the file ${why}`, async () => {
    await using target = await emptyTarget();
    await own.inFile((here) => {
      const noted = here('sqlite_sequence').where('name', 'entries');
      return seq === undefined ? noted.delete() : noted.update({ seq });
    });

    const { exitCode, stderr } = await own.move(target.url);

    expect([exitCode, stderr]).toEqual([0, '']);
    await using there = await connectedTo(target);
    const { rows }: { rows: { next: string; greatest: string }[] } = await there.database.raw(
      `SELECT nextval(pg_get_serial_sequence('entries', 'row')) AS next, (SELECT max("row") FROM entries) AS greatest`,
    );
    expect(Number(rows[0]?.next)).toBe(Number(rows[0]?.greatest) + 1);
  });
}

test('rows with long texts are moved in small steps', async () => {
  await using target = await emptyTarget();
  await own.inFile((here) =>
    here.raw("UPDATE entries SET text = replace(hex(zeroblob(60000)), '00', 'é') WHERE entry_id LIKE 'ent_more%0'"),
  );
  await using there = await connectedTo(target);
  const { copied } = await stopInEntries(target, there.database, (first) => first.kill('SIGKILL'));

  // 8 MiB have room for 69 rows of 120 kB.
  expect(copied % 1_000).not.toBe(0);
  expect(await own.move(target.url)).toMatchObject({ exitCode: 0, stderr: '' });
});
