import { expect, test } from 'vitest';
import type { Keys } from '../../../../src/connector/ports/keys.ts';
import { createSeal } from '../../../../src/connector/store/aes-seal.ts';
import { openDatabase } from '../../../../src/connector/store/database.ts';
import {
  type InstallationClaim,
  readInstallation,
  recordInstallation,
} from '../../../../src/connector/store/installation.ts';
import { keysAfter, newKeys } from '../../../../src/connector/store/key-file.ts';
import { createResealing } from '../../../../src/connector/store/sealed-columns.ts';
import { readStateKeys } from '../../../../src/connector/store/state-keys.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { EXIT_CONFIG } from '../../../../src/kernel/errors.ts';
import { choiceOf } from '../../../harness/open-store.ts';
import { restoreRecording } from '../../../harness/recorded-database.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { type TestDatabase, testDatabase } from '../../../harness/test-database.ts';

const OWN = 'https://irc.example.org';
const OTHER = 'https://other.example.org';
const FACTS = { baseUrl: OWN, issuer: 'https://id.example.org', networks: ['main', 'work'] };

const sealOf = ({ sealKey, earlierSealKeys }: Keys) => createSeal(sealKey, earlierSealKeys);

const refused = (own: TestDatabase, claim: InstallationClaim) =>
  expect(openDatabase(choiceOf(own.config), systemClock, claim)).rejects;

test('a database opens with the keys and the base address that it was used with, and remembers both', async () => {
  await using folder = await tempFolder();
  const { own, keys } = await databaseOfInstallation(folder.path);
  await using _own = own;

  expect(await start(own, keys)).toBeUndefined();
  const connection = own.connect();
  expect(await readInstallation(connection)).toEqual(FACTS);
  await connection.destroy();
});

test('a start with other keys, or without keys, is refused in one line', async () => {
  await using folder = await tempFolder();
  const { own } = await databaseOfInstallation(folder.path);
  await using _own = own;

  for (const [keys, says] of [
    [newKeys(), /is encrypted with other keys than those of \/state\/keys\.json: restore the keys that belong/],
    [undefined, /has encrypted contents, and \/state\/keys\.json does not exist: restore the keys that belong/],
  ] as const) {
    await refused(own, claimOf(keys)).toMatchObject({
      exitStatus: EXIT_CONFIG,
      message: expect.stringMatching(says),
    });
  }
});

test('a start with another base address is refused, unless the earlier one is named', async () => {
  await using folder = await tempFolder();
  const { own, keys } = await databaseOfInstallation(folder.path);
  await using _own = own;

  for (const previous of [undefined, 'https://third.example.org']) {
    await refused(own, claimOf(keys, OTHER, previous)).toMatchObject({
      exitStatus: EXIT_CONFIG,
      message: expect.stringMatching(
        /belongs to the connector at https:\/\/irc\.example\.org, and baseUrl is https:\/\/other\.example\.org: .* set previousBaseUrl to https:\/\/irc\.example\.org$/,
      ),
    });
  }
  expect(await start(own, keys, OTHER, OWN)).toEqual(FACTS);
  expect(await start(own, keys, OTHER)).toBeUndefined();
  await refused(own, claimOf(keys, OWN)).toThrow(/belongs to the connector at https:\/\/other\.example\.org/);
});

test('another identity provider and other networks are recorded, and the earlier ones returned', async () => {
  await using folder = await tempFolder();
  const { own, keys } = await databaseOfInstallation(folder.path);
  await using _own = own;
  const opened = await openDatabase(choiceOf(own.config), systemClock, claimOf(keys));
  const next = { ...FACTS, issuer: 'https://new.example.org', networks: ['main'] };

  expect(await recordInstallation(opened.database, sealOf(keys), next)).toEqual(FACTS);
  expect(await readInstallation(opened.database)).toEqual(next);
  await opened.close();
});

test('after a change of the keys both open it; once everything is encrypted anew the earlier ones do not', async () => {
  await using folder = await tempFolder();
  const { own, keys } = await databaseOfInstallation(folder.path);
  await using _own = own;
  const next = keysAfter(keys);
  await start(own, next);
  const opened = await openDatabase(choiceOf(own.config), systemClock, claimOf(next));
  const resealing = createResealing(opened.database, sealOf(next));
  while (await resealing.advance(100)) {
    // Goes on until all is done.
  }
  await opened.close();

  await start(own, { ...next, earlierSealKeys: [] });
  await refused(own, claimOf(keys)).toThrow('is encrypted with other keys');
});

test('from the first start with new keys until everything is encrypted anew, the earlier ones alone are refused, and so are the new ones', async () => {
  await using folder = await tempFolder();
  const { own, keys } = await databaseOfInstallation(folder.path);
  await using _own = own;
  const next = keysAfter(keys);
  const third = keysAfter(next);
  const alone = ({ sealKey }: Keys): Keys => ({ ...third, sealKey, earlierSealKeys: [] });

  for (const [newest, lacking] of [
    [next, [keys, alone(next)]],
    [third, [keys, next, alone(third), { ...third, earlierSealKeys: keys.earlierSealKeys }]],
  ] as const) {
    // The second start has no more to add.
    await start(own, newest);
    await start(own, newest);
    for (const each of lacking) await refused(own, claimOf(each)).toThrow('is encrypted with other keys');
    await start(own, newest);
  }

  const opened = await openDatabase(choiceOf(own.config), systemClock, claimOf(third));
  const resealing = createResealing(opened.database, sealOf(third));
  while (await resealing.advance(100)) {
    // Goes on until all is done.
  }
  await opened.close();
  await start(own, alone(third));
  await refused(own, claimOf(next)).toThrow('is encrypted with other keys');
});

test('keys that were replaced many times before everything was encrypted anew still open the database', async () => {
  await using folder = await tempFolder();
  const { own, keys } = await databaseOfInstallation(folder.path);
  await using _own = own;
  let newest = keys;
  for (let times = 0; times < 20; times += 1) {
    newest = keysAfter(newest);
    await start(own, newest);
  }

  await start(own, newest);
  await refused(own, claimOf(keys)).toThrow('is encrypted with other keys');
});

test('a database of an earlier version is refused with other keys before it is changed, and recorded with its own', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const { stateDirectory } = await restoreRecording('0017', own, folder.path);
  const steps = async () => {
    const connection = own.connect();
    const names: string[] = await connection('knex_migrations').orderBy('id').pluck('name');
    await connection.destroy();
    return names;
  };
  const before = await steps();

  await refused(own, claimOf(newKeys())).toThrow('is encrypted with other keys');
  await refused(own, claimOf(undefined)).toThrow('has encrypted contents');
  expect(await steps()).toEqual(before);

  const keys = readStateKeys(stateDirectory);
  if (keys === undefined) throw new Error('the recording has keys');
  expect(await start(own, keys)).toBeUndefined();
  await refused(own, claimOf(newKeys())).toThrow('is encrypted with other keys');
});

/** Opens the database as a start does, and records to whom it belongs. */
async function start(own: TestDatabase, keys: Keys, baseUrl = OWN, previousBaseUrl?: string) {
  const opened = await openDatabase(choiceOf(own.config), systemClock, claimOf(keys, baseUrl, previousBaseUrl));
  try {
    return await recordInstallation(opened.database, sealOf(keys), { ...FACTS, baseUrl });
  } finally {
    await opened.close();
  }
}

async function databaseOfInstallation(folder: string) {
  const own = await testDatabase(folder);
  const keys = newKeys();
  await start(own, keys);
  return { own, keys };
}

function claimOf(keys: Keys | undefined, baseUrl = OWN, previousBaseUrl?: string): InstallationClaim {
  return {
    seal: keys === undefined ? undefined : sealOf(keys),
    keysAt: '/state/keys.json',
    baseUrl,
    previousBaseUrl,
  };
}
