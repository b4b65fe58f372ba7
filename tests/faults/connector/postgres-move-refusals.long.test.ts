import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Knex } from 'knex';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSeal } from '../../../src/connector/store/aes-seal.ts';
import { migrateDatabase } from '../../../src/connector/store/database.ts';
import { recordInstallation } from '../../../src/connector/store/installation.ts';
import { keysAfter, keysOf, newKeys, textOf } from '../../../src/connector/store/key-file.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import {
  connectedTo,
  emptyTarget,
  MOVED_RECORDING,
  type MovableInstallation,
  movableInstallation,
} from '../../harness/move.ts';
import { choiceOf } from '../../harness/open-store.ts';
import { RECORDED, RECORDINGS } from '../../harness/recorded-database.ts';
import { secretFile } from '../../harness/start-connector.ts';
import { fileDatabase } from '../../harness/test-database.ts';

const BAD = 78;

let own: MovableInstallation;

beforeAll(async () => {
  own = await movableInstallation();
});

beforeEach(() => own.renew());

afterAll(() => own?.[Symbol.asyncDispose]());

const OF_ENTRY = (row: number) =>
  new RegExp(`table entries, column \\w+, rowid ${row}: a value would be lost: expected`);

for (const [why, damage, says] of [
  [
    'an integer that the program could not read',
    { observed_at: '9007199254740993' },
    /an integer of at most 9007199254740991, received a greater one/,
  ],
  ['a number with a fraction', { observed_at: '1.5' }, /expected an integer, received a value of type real/],
  ['a text where a number belongs', { observed_at: "'soon'" }, /expected an integer, received a value of type text/],
  ['a BLOB', { text: "x'4142'" }, /column text, rowid 1: a value would be lost: expected a text, received a BLOB/],
  ['a text with NUL', { text: "CAST(x'410042' AS TEXT)" }, /expected a text without NUL, received one with it/],
  ['a text that is not UTF-8', { text: "CAST(x'41ff42' AS TEXT)" }, /expected UTF-8, received other bytes/],
] as const) {
  test(`${why} is named before anything is copied`, async () => {
    await using target = await emptyTarget();
    const [row] = await own.inFile((here) => here('entries').orderBy('row').limit(1).pluck('row'));
    const [[column, value] = ['', '']] = Object.entries(damage);
    await own.inFile((here) =>
      here('entries')
        .where('row', row)
        .update({ [column]: here.raw(value) }),
    );

    const { exitCode, stderr } = await own.move(target.url);

    expect(exitCode).toBe(BAD);
    expect(stderr).toMatch(OF_ENTRY(row));
    expect(stderr).toMatch(new RegExp(says.source.replace('rowid 1:', `rowid ${row}:`)));
    expect(stderr.trim().split('\n')).toHaveLength(1);
    const there = target.connect();
    expect(await there.schema.hasTable('accounts')).toBe(false);
    await there.destroy();
  });
}

/** Random text, which can't be compressed. */
const longText = (bytes: number): string => randomBytes(bytes / 2).toString('hex');

for (const [why, columns, damage] of [
  [
    'a text too long for an index',
    'columns account_id, fingerprint',
    (here: Knex) =>
      here('entries')
        .where('entry_id', 'ent_more2')
        .update({ fingerprint: longText(3_000) }),
  ],
  [
    'texts that are too long together for an index',
    'columns account_id, channel, client_id, session_id',
    async (here: Knex) => {
      const [account] = await here('accounts').limit(1).pluck('account_id');
      const row = {
        account_id: account,
        channel: longText(1_000),
        client_id: longText(1_000),
        session_id: longText(1_000),
      };
      await here('send_counts').insert({ ...row, stored: 1, gone: 0 });
    },
  ],
  [
    'an identifier too long for an index, which could be made shorter',
    'column entry_id',
    (here: Knex) =>
      here('entries')
        .where('entry_id', 'ent_more2')
        .update({ entry_id: 'x'.repeat(2_700) }),
  ],
] as const) {
  test(`${why} is named by a dry run as by the move itself, and lasts`, async () => {
    await using target = await emptyTarget();
    await own.inFile(async (here) => damage(here));

    const [dry, move] = [await own.move(target.url, { options: ['--dry-run'] }), await own.move(target.url)];

    for (const { exitCode, stdout, stderr } of [dry, move]) {
      expect([exitCode, stdout.includes('resumes')]).toEqual([BAD, false]);
      expect(stderr).toMatch(
        /table \w+, [\w, ]+, rowid \d+: a value would be lost: expected at most 2600 bytes.*, because PostgreSQL has them in an index, received \d{4} bytes\n?$/,
      );
      expect(stderr).toContain(`${columns}, rowid`);
    }
    await using there = await connectedTo(target);
    expect(await there.database.schema.hasTable('accounts')).toBe(false);
  });
}

test('a row without a part of its key is named by a dry run', async () => {
  await using target = await emptyTarget();
  await own.inFile((here) => here('totals').insert({ name: null, value: 1 }));

  const { exitCode, stderr } = await own.move(target.url, { options: ['--dry-run'] });

  expect(exitCode).toBe(BAD);
  expect(stderr).toMatch(
    /table totals, column name, rowid \d+: a value would be lost: expected a value, because it is a part of the primary key, received none\n?$/,
  );
});

test('a value that only the new database itself refuses ends the move for good, and not with advice to repeat it', async () => {
  await using target = await emptyTarget();
  await migrateDatabase(choiceOf(target.config), systemClock);
  await using there = await connectedTo(target);
  await there.database.raw('CREATE INDEX more ON entries (text)');
  await own.inFile((here) =>
    here('entries')
      .where('entry_id', 'ent_more2')
      .update({ text: longText(9_000) }),
  );

  const { exitCode, stdout, stderr } = await own.move(target.url);

  expect([exitCode, stdout.includes('resumes')]).toEqual([BAD, false]);
  expect(stdout).toContain('not finished: the old database is as it was');
  expect(stderr).toMatch(
    /: table entries: a value would be lost, because it is refused there \(index row [^\n]*\): see which row of the old database has it, and correct it there\n?$/,
  );
});

test('a dry run names an encoding that could not store every text', async () => {
  await using target = await emptyTarget("ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'");

  const { exitCode, stderr } = await own.move(target.url, { options: ['--dry-run'] });

  expect(exitCode).toBe(BAD);
  expect(stderr).toMatch(/its encoding is LATIN1: make it anew with ENCODING 'UTF8'/);
});

for (const seq of ['soon', '9223372036854775807', '1.5', '-7']) {
  test(`a last number of ${seq} is named before anything is copied`, async () => {
    await using target = await emptyTarget();
    await own.inFile((here) =>
      here('sqlite_sequence')
        .where('name', 'entries')
        .update({ seq: here.raw(`'${seq}' + 0`) }),
    );
    if (seq === 'soon') await own.inFile((here) => here('sqlite_sequence').where('name', 'entries').update({ seq }));

    const { exitCode, stderr } = await own.move(target.url);

    expect(exitCode).toBe(BAD);
    expect(stderr).toMatch(/table sqlite_sequence, name entries: expected an integer from 0 to 9007199254740991/);
  });
}

test('a view in place of a table is not read', async () => {
  await using target = await emptyTarget();
  await own.inFile(async (here) => {
    await here.raw('DROP TABLE send_counts');
    await here.raw(`CREATE VIEW send_counts AS
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT 'a' AS account_id, '#c' AS channel, 'c' || i AS client_id, 's' AS session_id, 1 AS stored, 0 AS gone FROM n`);
  });

  const { exitCode, stderr } = await own.move(target.url);

  expect(exitCode).toBe(BAD);
  expect(stderr).toMatch(/there is no table send_counts: restore it from a backup/);
});

test('a name with control characters is shown without them, in one line', async () => {
  await using target = await emptyTarget();
  await own.inFile((database) => database.raw('CREATE TABLE ?? (n)', ['\u001b]0;owned\u0007\nnext']));

  const { exitCode, stderr } = await own.move(target.url);

  expect(exitCode).toBe(BAD);
  expect(stderr).toMatch(
    /^[^\p{Cc}]*table \ufffd\]0;owned\ufffd\ufffdnext is not one of the connector’s, and would not move[^\p{Cc}]*\n?$/u,
  );
});

test('a database with other programs’ tables is refused and stays as it is', async () => {
  await using target = await emptyTarget();
  const there = target.connect();
  await there.raw('CREATE TABLE notes (id text PRIMARY KEY)');

  const { exitCode, stderr } = await own.move(target.url);

  const { rows } = await there.raw('SELECT tablename FROM pg_tables WHERE schemaname = current_schema()');
  await there.destroy();
  expect(exitCode).toBe(BAD);
  expect(stderr).toMatch(/is not empty \(table notes is not one of the connector’s\): name an empty database/);
  expect(rows).toEqual([{ tablename: 'notes' }]);
});

test('keys that do not open what is stored are refused, and so is a state directory without keys', async () => {
  await using target = await emptyTarget();
  const keysFile = await secretFile(own.folder, 'other-keys', textOf(newKeys()));
  const wrong = await own.configIn('wrong', { keysFile });
  const without = await own.configIn('without');

  const [other, none] = [
    await own.move(target.url, { configFile: wrong }),
    await own.move(target.url, { configFile: without }),
  ];

  expect(other).toMatchObject({ exitCode: BAD });
  expect(other.stderr).toMatch(/the configured keys do not open what is encrypted in it \(table accounts: 2 of 2\)/);
  expect(none).toMatchObject({ exitCode: BAD });
  expect(none.stderr).toMatch(/has no keys\.json/);
});

test('earlier keys alone are refused while they are being replaced, although they open a part of what is stored', async () => {
  await using target = await emptyTarget();
  const keys = keysOf(await readFile(join(own.folder, 'keys.json'), 'utf8'));
  if (keys === undefined) throw new Error('the recording has keys');
  const next = keysAfter(keys);
  const facts = { baseUrl: 'http://127.0.0.1:1', issuer: 'http://127.0.0.1:9', networks: ['main'] };
  for (const { sealKey, earlierSealKeys } of [keys, next]) {
    await own.inFile((file) => recordInstallation(file, createSeal(sealKey, earlierSealKeys), facts));
  }
  const keysFile = join(own.folder, 'next.json');
  await writeFile(keysFile, textOf(next), { mode: 0o600 });

  const { exitCode, stderr } = await own.move(target.url);

  expect(exitCode).toBe(BAD);
  expect(stderr).toMatch(/the configured keys do not open what is encrypted in it \(table installation: 1 of 1\)/);
  const configFile = await own.configIn('next', { keysFile });
  expect(await own.move(target.url, { configFile })).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a connector that uses the old database is named, and has to end first', async () => {
  await using target = await emptyTarget();
  const claim = fileDatabase(`${own.file}.lock`).connect();
  await claim.raw('BEGIN EXCLUSIVE');

  const { exitCode, stderr } = await own.move(target.url);

  await claim.destroy();
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/process \d+ on .* uses it: end every connector first, then run this again/);
});

for (const [why, words, says] of [
  [
    'a password among the arguments',
    'postgres://role:secret-of-the-role@127.0.0.1/x',
    /^homeport-connector: --to: expected no password, .*PGPASSFILE$/,
  ],
  ['one as a parameter', 'postgres://role@127.0.0.1/x?password=secret-of-the-role', /--to: expected no password/],
  [
    'a password with a question mark',
    'postgres://role:?secret-of-the-role@127.0.0.1/x',
    /--to: expected no parameters but host, sslmode and sslrootcert, received another one$/,
  ],
  [
    'an authority that nothing would ask',
    'postgres://role@127.0.0.1/x?sslrootcert=/ca.pem',
    /--to: expected sslmode=verify-full beside sslrootcert/,
  ],
  [
    'another database',
    'mysql://role@127.0.0.1/x',
    /--to: expected sqlite:FILE, .* received a name that begins with mysql:/,
  ],
  ['no role', 'postgres://127.0.0.1/x', /received one without ROLE/],
  [
    'the configured database where that is SQLite',
    'postgres:',
    /--to: postgres: alone is the configured database, and that is SQLite/,
  ],
] as const) {
  test(`${why} is refused in one line, which shows nothing secret`, async () => {
    const { exitCode, stdout, stderr } = await own.move(words);

    expect([exitCode === 64 || exitCode === BAD, stdout]).toEqual([true, '']);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('secret-of-the-role');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
}

test('a host may be an address of IPv6', async () => {
  const { exitCode, stderr } = await own.move('postgres://role@[::1]:1/x');

  expect(exitCode).toBe(1);
  expect(stderr).toContain('x at ::1 port 1: does not answer');
});

test('a file that is not there, and one that an earlier version has made', async () => {
  await using target = await emptyTarget();
  const old = join(own.folder, 'old.db');
  await writeFile(old, gunzipSync(await readFile(join(RECORDINGS, MOVED_RECORDING, 'sqlite', RECORDED.database))));

  const [missing, earlier] = [
    await own.move(target.url, { from: `sqlite:${join(own.folder, 'none.db')}` }),
    await own.move(target.url, { from: `sqlite:${old}` }),
  ];

  expect(missing).toMatchObject({ exitCode: BAD });
  expect(missing.stderr).toMatch(/none\.db: there is no database in this file/);
  expect(earlier).toMatchObject({ exitCode: BAD });
  expect(earlier.stderr).toMatch(
    /an earlier version has made it, and it lacks 0018-.*: run homeport-connector migrate/,
  );
});

test('two databases of one kind are refused', async () => {
  const { exitCode, stderr } = await own.move(`sqlite:${join(own.folder, 'copy.db')}`);

  expect(exitCode).toBe(64);
  expect(stderr).toMatch(/received two of one kind: copying the file moves such a one$/);
});
