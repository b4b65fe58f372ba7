import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { blockOf } from '../../harness/guide-blocks.ts';
import { captured, textsOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { emptyTarget } from '../../harness/move.ts';
import { refresh } from '../../harness/oauth-client.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { connectorCommand, startConnectorStack } from '../../harness/start-connector.ts';
import { subscriberOf } from '../../harness/subscriber.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { fileDatabase } from '../../harness/test-database.ts';
import { startReceiver } from '../../harness/webhook-receiver.ts';

const MOVE_DEADLINE_MS = 240_000;

/** Returns a line's shape: numbers, names and places are replaced. */
const shapeOf = (line: string): string =>
  line
    .replace(/^(from database\.sqlite\.file:) .*/, '$1 FILE')
    .replace(/^(to database\.postgres:) .*/, '$1 DATABASE')
    .replace(/\d+/g, 'N');

/** Returns each shape once: a longer table is reported more often. */
const shapesOf = (lines: readonly string[]): string[] => [...new Set(lines.map(shapeOf))];

test('an installation that was moved as the guide says goes on on PostgreSQL, and nobody notices', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'connector.db');
  await using target = await emptyTarget();
  await using stack = await startConnectorStack({
    database: fileDatabase(file),
    config: { events: { allowCallbackHosts: ['127.0.0.1'] } },
  });
  await using receiver = await startReceiver();
  await using agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
  await connected(agent);
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  await subscriberOf(stack, agent).subscribed({ url: receiver.url });
  const { sessionId } = await agent.call('see_account_information');
  const session = { channel: '#room', session_id: sessionId };
  for (const text of ['first line', 'ada: second line', 'third Straße']) bob.say('#room', text);
  await captured(agent, 'third Straße');
  const { entries } = await agent.call('read_history', { ...session, mode: 'unread', limit: 1 });
  await agent.call('ack_messages', { ...session, entry_id: (entries as { entryId: string }[])[0]?.entryId });
  const { messageId } = await agent.call('send_message', {
    ...session,
    text: 'said before the move',
    idempotency_key: 'once',
  });
  const status = () => agent.call('get_message_status', { message_id: messageId });
  await waitFor('it came back', async () => (await status())['status'] === 'echoed');
  const at = () => agent.call('see_account_information', { session_id: sessionId });
  await waitFor('the event came', () => receiver.events().length === 1);
  const [before, textsBefore, statusBefore] = [await at(), await textsOf(agent), await status()];
  const searched = () => agent.call('search_history', { channel: '#room', phrase: 'THIRD stra' });
  const foundBefore = (await searched())['entries'];

  await stack.connector.stop();
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as Record<string, unknown>;
  await writeFile(stack.configFile, JSON.stringify({ ...config, database: target.config }));
  const [command = '', ...shown] = blockOf('move-to-postgresql.md', 'console').trimEnd().split('\n');
  const [program, ...words] = command.replace(/^\$ /, '').split(' ');
  expect(program).toBe('homeport-connector');
  const [ours] = connectorCommand(stack.configFile);
  const asHere = words.map((word) => (word.startsWith('sqlite:') ? `sqlite:${file}` : word));
  const { stdout } = await execa(ours, [...asHere, '--config', stack.configFile], {
    timeout: MOVE_DEADLINE_MS,
  });
  // The old database is not needed any more.
  await writeFile(file, '');
  bob.say('#room', 'ada: while you moved');
  await stack.revive('connector');

  expect(shapesOf(stdout.split('\n'))).toEqual(shapesOf(shown));
  await captured(agent, 'ada: while you moved');
  expect((await at())['channels']).toMatchObject([{ channel: '#room', unreadCount: unreadIn(before) + 1 }]);
  expect(await textsOf(agent)).toEqual([...textsBefore, 'ada: while you moved']);
  expect(await status()).toEqual(statusBefore);
  expect((await searched())['entries']).toEqual(foundBefore);
  expect(foundBefore).toMatchObject([{ text: 'third Straße' }]);
  const again = { ...session, text: 'said before the move', idempotency_key: 'once' };
  expect(await agent.call('send_message', again)).toMatchObject({ messageId });
  bob.say('#room', 'ada: after the move');
  await waitFor('the events came', () => receiver.events().length >= 3);
  expect(receiver.events().map(({ data }) => data['text'])).toEqual([
    'ada: second line',
    'ada: while you moved',
    'ada: after the move',
  ]);
  const { client, stored } = agent.credentials;
  const renewed = await refresh(stack, client?.client_id ?? '', stored?.refresh_token ?? '');
  expect(renewed.status).toBe(200);
});

const unreadIn = (information: Record<string, unknown>): number =>
  Number((information['channels'] as { unreadCount: number }[])[0]?.unreadCount);
