import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { newKeys, textOf } from '../../../src/connector/store/key-file.ts';
import { lonelyConfig, runConnector } from '../../harness/lonely-connector.ts';
import { connectorCommand } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { type TestDatabase, testDatabase } from '../../harness/test-database.ts';

const BAD_CONFIGURATION = 78;

test('keys of another installation, and a lost file of keys, end the start with status 78 and one line', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const { configFile, keysFile, port } = await usedInstallation(folder.path, own);
  const kept = join(folder.path, 'kept.json');
  await copyFile(keysFile, kept);
  await writeFile(keysFile, textOf(newKeys()));

  const other = await runConnector(configFile);
  const examined = await runConnector(configFile, 'doctor');
  await rm(keysFile);
  const none = await runConnector(configFile);

  expect(other.exitCode).toBe(BAD_CONFIGURATION);
  expect(other.stderr).toMatch(
    /^homeport-connector: database\.(sqlite\.file|postgres): .* is encrypted with other keys than those of .*keys\.json: restore the keys that belong to this database, [^\n]*$/,
  );
  expect(examined.stdout).toMatch(/WRONG {3}installation .* is encrypted with other keys/);
  expect(none.exitCode).toBe(BAD_CONFIGURATION);
  expect(none.stderr).toMatch(/has encrypted contents, and .*keys\.json does not exist: restore the keys/);
  // New ones would stand in the way of the right ones.
  await expect(readFile(keysFile)).rejects.toThrow('ENOENT');
  await copyFile(kept, keysFile);
  await serveOnce(configFile, port);
});

test('another base address ends the start with status 78, until the earlier one is named', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const { changes, port } = await usedInstallation(folder.path, own);
  const moved = { ...changes, baseUrl: 'https://new.example.org' };

  const refused = await runConnector(await lonelyConfig(folder.path, moved));

  expect(refused.exitCode).toBe(BAD_CONFIGURATION);
  expect(refused.stderr.split('\n')).toHaveLength(1);
  expect(refused.stderr).toMatch(/belongs to the connector at http:\/\/127\.0\.0\.1:1, and baseUrl is https:\/\/new/);
  const meant = await lonelyConfig(folder.path, { ...moved, previousBaseUrl: 'http://127.0.0.1:1' });
  expect((await runConnector(meant, 'doctor')).stdout).toMatch(/ok {6}installation .* of http:\/\/127\.0\.0\.1:1, /);
  await serveOnce(meant, port);
  await serveOnce(await lonelyConfig(folder.path, moved), port);
});

/** A connector that has run once, and ended. */
async function usedInstallation(folder: string, { config: database }: TestDatabase) {
  const port = await freePort();
  const changes = { listen: { port }, database };
  const configFile = await lonelyConfig(folder, changes);
  await serveOnce(configFile, port);
  return { configFile, port, keysFile: join(folder, 'state', 'keys.json'), changes };
}

async function serveOnce(configFile: string, port: number): Promise<void> {
  const service = startProcess({ name: 'connector', command: connectorCommand(configFile) });
  try {
    await waitFor('it answers', async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok, { process: service });
  } finally {
    await service.stop();
  }
}
