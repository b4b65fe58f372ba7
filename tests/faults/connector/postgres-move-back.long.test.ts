import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { tablesToMove } from '../../../src/connector/store/move/tables.ts';
import { runConnector } from '../../harness/lonely-connector.ts';
import {
  connectedTo,
  emptyTarget,
  type MovableInstallation,
  movableInstallation,
  startMove,
} from '../../harness/move.ts';
import { fileDatabase } from '../../harness/test-database.ts';

const BAD = 78;

let own: MovableInstallation;

beforeAll(async () => {
  own = await movableInstallation();
});

beforeEach(() => own.renew());

afterAll(() => own?.[Symbol.asyncDispose]());

test('a move back fills a file that did not exist with the same rows, and new rows get new numbers', async () => {
  await using target = await emptyTarget();
  await own.move(target.url);
  await using there = await connectedTo(target);
  await there.database.raw("SELECT setval(pg_get_serial_sequence('entries', 'row'), 70000)");
  const back = join(own.folder, 'back.db');

  const { exitCode, stdout, stderr } = await own.move(`sqlite:${back}`, { from: target.url });

  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/compared: \d+ tables have the same number of rows and the same checksum on both sides/);
  const here = fileDatabase(back).connect();
  for (const { name, columns, keys } of await tablesToMove()) {
    const names = columns.map((column) => column.name);
    const rows = async (database: Knex) =>
      database(name)
        .select(names)
        .orderBy([...keys]);
    const old = await own.inFile(rows);
    expect([name, await rows(here)]).toEqual([name, old]);
  }
  const [row] = await here('entries').insert({
    ...(await here('entries').first()),
    ...{ row: undefined, entry_id: 'ent_new', fingerprint: 'new' },
  });
  await here.destroy();
  expect(row).toBe(70_001);
  expect((await stat(back)).mode & 0o077).toBe(0);
});

test('a move back that is killed is resumed, and the file is not served meanwhile', async () => {
  await using target = await emptyTarget();
  await own.move(target.url);
  const back = join(own.folder, 'killed.db');
  const first = startMove(own.configFile, target.url, `sqlite:${back}`);
  await waitFor('a part is copied', async () => {
    const here = fileDatabase(back).connect();
    const [copied] = await here('unfinished_move')
      .where('table_name', 'entries')
      .pluck('copied_rows')
      .catch(() => [0])
      .finally(() => here.destroy());
    return Number(copied) > 0;
  });
  first.kill('SIGKILL');
  await first;
  const config = await own.configIn('killed', { database: { sqlite: { file: back } } });
  const here = fileDatabase(back).connect();
  const isUnfinished = await here.schema.hasTable('unfinished_move');
  await here.destroy();

  if (isUnfinished) {
    const { exitCode, stderr } = await runConnector(config);
    expect(exitCode).toBe(BAD);
    expect(stderr).toMatch(/another database is being moved into it/);
  }
  expect(await own.move(`sqlite:${back}`, { from: target.url })).toMatchObject({ exitCode: 0, stderr: '' });
});

test('an integer that the program could not read is named before a move back begins', async () => {
  await using target = await emptyTarget();
  await own.move(target.url);
  await using there = await connectedTo(target);
  await there.database('entries').where('entry_id', 'ent_more3').update({ observed_at: '9007199254740993' });
  const back = join(own.folder, 'none.db');

  const { exitCode, stderr } = await own.move(`sqlite:${back}`, { from: target.url });

  expect(exitCode).toBe(BAD);
  expect(stderr).toMatch(
    /table entries, column observed_at, rowid \d+: a value would be lost: expected an integer of at most 9007199254740991, received a greater one/,
  );
});

test('a dry run says what would move in both directions, and changes nothing', async () => {
  await using target = await emptyTarget();
  await using there = await connectedTo(target);
  const options = ['--dry-run'];

  const first = await own.move(target.url, { options });

  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  expect(first.stdout).toMatch(/\ndry run: nothing was changed; the move would copy \d+ rows$/);
  expect(await there.database.schema.hasTable('accounts')).toBe(false);
  await own.move(target.url);
  const back = join(own.folder, 'dry.db');
  const second = await own.move(`sqlite:${back}`, { from: target.url, options });
  expect(second).toMatchObject({ exitCode: 0, stderr: '' });
  await expect(stat(back)).rejects.toThrow('ENOENT');
  const changed = await there.database('accounts').update({ nick: 'another' });
  expect(changed).toBeGreaterThan(0);
  const refused = await own.move(target.url, { options });
  expect(refused.stderr).toMatch(/is not empty \(table accounts has rows\)/);
});
