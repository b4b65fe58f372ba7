import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Keys } from '../../../../../src/connector/ports/keys.ts';
import { createSeal } from '../../../../../src/connector/store/aes-seal.ts';
import { openBackup } from '../../../../../src/connector/store/backup/read.ts';
import { writeBackup } from '../../../../../src/connector/store/backup/write.ts';
import { sqliteServer } from '../../../../../src/connector/store/connect/sqlite.ts';
import { recordInstallation } from '../../../../../src/connector/store/installation.ts';
import { keysAfter, keysOf, newKeys } from '../../../../../src/connector/store/key-file.ts';
import { migrate } from '../../../../../src/connector/store/migrate.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';

const INSTALLATION = { baseUrl: 'https://irc.example', issuer: 'https://idp.example', networks: ['main'] };

let folder: Awaited<ReturnType<typeof tempFolder>>;

beforeEach(async () => {
  folder = await tempFolder();
});

afterEach(() => folder[Symbol.asyncDispose]());

const sealOf = ({ sealKey, earlierSealKeys }: Keys) => createSeal(sealKey, earlierSealKeys);

const [oldest, newest] = (() => {
  const first = newKeys();
  return [first, keysAfter(first)] as const;
})();
/** The newest keys once the connector has forgotten the earlier ones. */
const alone: Keys = { ...newest, earlierSealKeys: [] };

test('a copy from the time in which texts are encrypted anew gets the keys of that time, though the earlier ones are forgotten since', async () => {
  const file = join(folder.path, 'connector.db');
  await databaseOf(file, oldest, newest);

  const { keys, unread } = await backedUp(file, newest, alone);

  expect(unread).toBe(0);
  expect(keys?.sealKey).toEqual(newest.sealKey);
  expect(keys?.earlierSealKeys).toEqual([oldest.sealKey]);
});

test('a copy from before the keys were replaced gets the keys of before behind the new ones', async () => {
  const file = join(folder.path, 'connector.db');
  await databaseOf(file, oldest);

  const { keys, unread } = await backedUp(file, oldest, alone);

  expect(unread).toBe(0);
  expect(keys?.earlierSealKeys).toEqual([oldest.sealKey]);
});

test('keys that are not needed are not in a backup', async () => {
  const file = join(folder.path, 'connector.db');
  await databaseOf(file, alone);

  expect((await backedUp(file, newest, alone)).keys?.earlierSealKeys).toEqual([]);
});

test('a copy that neither the keys before nor the keys after it open makes no backup', async () => {
  const file = join(folder.path, 'connector.db');
  await databaseOf(file, oldest);

  await expect(backedUp(file, newKeys(), newKeys())).rejects.toThrow('is encrypted with other keys');
});

/** Makes a database whose texts are encrypted with these keys, one set of keys after the other. */
async function databaseOf(file: string, ...keys: Keys[]): Promise<void> {
  const database = sqliteServer(file).connect('migrate');
  try {
    await migrate(database);
    for (const [index, each] of keys.entries()) {
      await recordInstallation(database, sealOf(each), INSTALLATION);
      const id = `record ${index}`;
      await database('oauth_records').insert({
        ...{ kind: 'AccessToken', id_hash: id },
        payload_sealed: sealOf(each).close('text', `oauth/AccessToken/${id}`),
      });
    }
  } finally {
    await database.destroy();
  }
}

/** Makes a backup. @param after keys that are in force as soon as the copy begins */
async function backedUp(file: string, before: Keys, after: Keys) {
  let present = before;
  const written = await writeBackup({
    choice: { sqlite: { file } },
    to: join(folder.path, 'backup'),
    hasKeys: true,
    readKeys: () => present,
    claimOf: (keys) => ({
      ...{ seal: sealOf(keys), keysAt: 'keys.json', previousBaseUrl: undefined },
      baseUrl: INSTALLATION.baseUrl,
    }),
    withRights: (connect) => connect(),
    now: () => 0,
    work: {
      begin: () => {
        present = after;
      },
      advance: () => undefined,
      say: () => undefined,
    },
    begun: () => undefined,
  });
  const backup = await openBackup(written.place);
  backup.close();
  return { ...written, keys: keysOf(backup.keys ?? '') };
}
