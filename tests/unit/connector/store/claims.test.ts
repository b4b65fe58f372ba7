import { stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databaseServer } from '../../../../src/connector/store/connect/index.ts';
import { choiceOf } from '../../../harness/open-store.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { fileDatabase, testDatabase } from '../../../harness/test-database.ts';

/** Keys "home" and "port", by which earlier versions keep others out; a file has a lock beside it. */
const EARLIER_KEYS = [0x686f6d65, 0x706f7274];

test('a claimed name is refused to others until it is released; other names are free', async () => {
  const { server } = await open();
  const ada = await server.claim('presence of ada/1');

  expect(await server.claim('presence of ada/1')).toBeUndefined();
  const bob = await server.claim('presence of bob/1');
  const connector = await server.claim('connector');
  expect([ada, bob, connector].every((claim) => claim !== undefined)).toBe(true);
  await ada?.release();
  const again = await server.claim('presence of ada/1');
  expect(again).toBeDefined();

  await Promise.all([bob, connector, again].map((claim) => claim?.release()));
});

test('the claim on the whole database and that of an earlier version exclude each other', async () => {
  const { own, server } = await open();
  const { sqlite } = own.config;
  const earlier = (sqlite === undefined ? own : fileDatabase(`${sqlite.file}.lock`)).connect();
  const [take, giveBack] =
    sqlite === undefined
      ? [
          () => earlier.raw('SELECT pg_advisory_lock(?, ?)', EARLIER_KEYS),
          () => earlier.raw('SELECT pg_advisory_unlock(?, ?)', EARLIER_KEYS),
        ]
      : [() => earlier.raw('BEGIN EXCLUSIVE'), () => earlier.raw('COMMIT')];

  await take();
  expect(await server.claim('connector')).toBeUndefined();
  await giveBack();
  const claim = await server.claim('connector');
  const taken = await (sqlite === undefined
    ? earlier.raw('SELECT pg_try_advisory_lock(?, ?) AS taken', EARLIER_KEYS).then(({ rows }) => rows[0].taken)
    : take().then(
        () => true,
        () => false,
      ));

  expect(claim).toBeDefined();
  expect(taken).toBe(false);
  await claim?.release();
  await earlier.destroy();
});

test('a lock is not taken through a link, and the file that the link leads to stays as it is', async () => {
  const folder = await tempFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const [file, others] = [join(folder.path, 'connector.db'), join(folder.path, 'of-another-account')];
  await writeFile(others, 'not a database', { mode: 0o644 });
  await symlink(others, `${file}.lock`);
  const server = databaseServer({ sqlite: { file } });

  const error: unknown = await server.claim('connector').catch((refusal: unknown) => refusal);

  expect(server.refusal(error)?.message).toMatch(/lock .* is a link that is not followed: remove the link/);
  expect((await stat(others)).mode & 0o777).toBe(0o644);
});

async function open() {
  const folder = await tempFolder();
  const own = await testDatabase(folder.path);
  onTestFinished(async () => {
    await own[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  return { own, server: databaseServer(choiceOf(own.config)) };
}
