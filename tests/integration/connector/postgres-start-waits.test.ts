import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { whenDatabaseAnswers } from '../../../src/connector/when-database-answers.ts';
import { createLog } from '../../../src/kernel/log.ts';
import type { ServiceManager } from '../../../src/kernel/systemd/notify.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase } from '../../harness/test-database.ts';

const log = createLog('test', 'error');
const nothing = async (): Promise<void> => undefined;

function managerThat(isThere: boolean, waiting: ServiceManager['waiting']): ServiceManager {
  return { isThere, ready: nothing, reloading: nothing, failed: nothing, waiting };
}

test('a start by systemd waits until the database server is there, and says so once', async () => {
  await using folder = await tempFolder();
  const server = inject('postgres');
  if (server === undefined) throw new Error('this test needs the PostgreSQL server of its project');
  await using own = await serverDatabase(server);
  const host = join(folder.path, 'server');
  const choice = { postgres: { ...own.config.postgres, host } } as Parameters<typeof whenDatabaseAnswers>[0];
  const said: string[] = [];
  const says: ServiceManager['waiting'] = async (reason) => {
    said.push(reason);
    symlinkSync(server.host, host);
  };

  await whenDatabaseAnswers(choice, { manager: managerThat(false, says), log });
  expect(said).toEqual([]);

  await whenDatabaseAnswers(choice, { manager: managerThat(true, says), log });
  expect(said).toEqual([expect.stringContaining('has no socket there')]);

  await whenDatabaseAnswers(choice, { manager: managerThat(true, says), log });
  expect(said).toHaveLength(1);
});
