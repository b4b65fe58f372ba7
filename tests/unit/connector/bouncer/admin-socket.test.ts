import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAdminSocket } from '../../../../src/connector/bouncer/admin-socket.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('a socket without a listener is named with the remedy', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'admin');
  await writeFile(path, '');

  expect(await adviceFor(path)).toContain(`${path} is left over`);
});

test('a socket that does not exist is named with the option of soju that makes it', async () => {
  await using folder = await tempFolder();

  expect(await adviceFor(join(folder.path, 'admin'))).toContain('listen unix+admin://');
});

/** Returns the log's advice when the socket can't be used. */
async function adviceFor(path: string): Promise<string> {
  const error: unknown = await createAdminSocket(path)(['server', 'status']).catch((refused: unknown) => refused);
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
}
