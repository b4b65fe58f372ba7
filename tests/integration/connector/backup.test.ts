import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, inject, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { administer } from '../../harness/administer.ts';
import { textsOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn } from '../../harness/person.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

const DUMP_DEADLINE_MS = 120_000;

/** As the guide on backups says. */
async function backUp({ database, folder }: ConnectorStack): Promise<void> {
  await copyFile(join(folder, 'state', 'keys.json'), join(folder, 'keys.backup'));
  const { postgres } = database.config;
  if (postgres !== undefined) {
    await client('pg_dump', postgres, ['--format=custom', `--file=${join(folder, 'backup')}`, postgres.database]);
    return;
  }
  const connection = database.connect();
  await connection.raw(`VACUUM INTO '${join(folder, 'backup')}'`);
  await connection.destroy();
}

async function restore({ database, folder }: ConnectorStack): Promise<void> {
  await copyFile(join(folder, 'keys.backup'), join(folder, 'state', 'keys.json'));
  const [{ sqlite, postgres }, server] = [database.config, inject('postgres')];
  if (sqlite !== undefined) {
    for (const leftover of ['', '-wal', '-shm']) await rm(sqlite.file + leftover, { force: true });
    await copyFile(join(folder, 'backup'), sqlite.file);
  }
  if (postgres !== undefined && server !== undefined) {
    await administer(server, `DROP DATABASE ${postgres.database} WITH (FORCE)`);
    await administer(server, `CREATE DATABASE ${postgres.database} TEMPLATE template0`);
    const options = ['--no-owner', '--exit-on-error', `--dbname=${postgres.database}`];
    await client('pg_restore', postgres, [...options, join(folder, 'backup')]);
  }
}

const client = (program: string, { host, port, user }: { host: string; port: number; user: string }, args: string[]) =>
  execa(program, ['-h', host, '-p', String(port), '-U', user, ...args], { timeout: DUMP_DEADLINE_MS });

test('a backup made while it runs brings everything back, and the bouncer what came after it', async () => {
  await using stack = await startConnectorStack();
  await using agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  bob.say('#room', 'before the backup');
  await waitFor('it is stored', async () => (await textsOf(agent)).includes('before the backup'));
  await backUp(stack);
  bob.say('#room', 'after the backup');
  await waitFor('it is stored', async () => (await textsOf(agent)).length === 2);
  await agent.call('send_message', { channel: '#room', text: 'sent after the backup' });
  await waitFor('it is stored', async () => (await textsOf(agent)).length === 3);
  await stack.kill('connector');
  await rm(join(stack.folder, 'state', 'keys.json'));

  await restore(stack);
  await stack.revive('connector');

  bob.say('#room', 'after the restore');
  const all = ['before the backup', 'after the backup', 'sent after the backup', 'after the restore'];
  await waitFor('all lines are there', async () => (await textsOf(agent)).length >= all.length);
  expect(await textsOf(agent)).toEqual(all);
  expect(await agent.call('see_account_information')).toMatchObject({ presence: 'online', upstreamConnected: true });
});
