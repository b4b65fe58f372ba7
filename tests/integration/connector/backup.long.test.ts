import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { runBackupCommand } from '../../harness/backup.ts';
import { captured, textsOf, unreadOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn } from '../../harness/person.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';

test('a backup made while lines flow and are acknowledged brings everything back, and the bouncer what came after it', async () => {
  await using stack = await startConnectorStack();
  const to = join(stack.folder, 'backup');
  await using agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
  const { sessionId } = await agent.call('see_account_information');
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  bob.say('#room', 'before the backup');
  await captured(agent, 'before the backup');
  expect((await unreadOf(agent, sessionId)).map(({ text }) => text)).toContain('before the backup');

  const making = runBackupCommand(stack.configFile, 'backup', '--to', to);
  const said: string[] = [];
  for (let isMade = false; !isMade; ) {
    isMade =
      (await Promise.race([making, captured(agent, say(`while it is made ${said.length}`)).then(() => undefined)])) !==
      undefined;
    await unreadOf(agent, sessionId);
  }
  function say(text: string): string {
    said.push(text);
    bob.say('#room', text);
    return text;
  }

  expect(await making).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await making).stdout).toMatch(/^backup: \S+: [\d.]+ [KM]iB in [\d.]+ s\n/);
  expect((await making).stdout).toContain('not in it: the configuration');
  expect((await readdir(to)).sort()).toEqual(['connector.db', 'keys.json', 'manifest.json']);
  for (const name of await readdir(to)) expect((await stat(join(to, name))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(to, 'manifest.json'), 'utf8')).not.toMatch(/sealKey|cookieKeys/);

  await agent.call('send_message', { channel: '#room', text: 'sent after the backup' });
  await waitFor('it is stored', async () => (await textsOf(agent)).includes('sent after the backup'));
  await stack.kill('connector');
  await rm(join(stack.folder, 'state', 'keys.json'));

  const refused = await runBackupCommand(stack.configFile, 'restore', '--from', to);
  expect(refused).toMatchObject({ exitCode: 78, stdout: '' });
  expect(refused.stderr).toMatch(/is not empty \(table \w+ has rows\): with --replace .* nothing was changed$/);
  const restored = await runBackupCommand(stack.configFile, 'restore', '--from', to, '--replace');
  expect(restored).toMatchObject({ exitCode: 0, stderr: '' });
  expect(restored.stdout).toContain('the database of before is kept: ');
  expect(restored.stdout).toContain('logins at networks and histories that were removed since then are there again');
  await stack.revive('connector');

  bob.say('#room', 'after the restore');
  const all = ['before the backup', ...said, 'sent after the backup', 'after the restore'];
  await waitFor('all lines are there', async () => (await textsOf(agent)).length >= all.length);
  expect(await textsOf(agent)).toEqual(all);
  expect(await agent.call('see_account_information')).toMatchObject({ presence: 'online', upstreamConnected: true });
  // The cursor is that of the backup: what was acknowledged then is not read again.
  expect((await unreadOf(agent, sessionId)).map(({ text }) => text)).not.toContain('before the backup');
});
