import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { databaseOn } from '../../harness/database-on-disk.ts';
import { historyOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { needs } from '../../harness/needs.ts';
import { agentIn } from '../../harness/person.ts';
import { mountSmallDisk } from '../../harness/small-disk.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

/** PostgreSQL copies 8 MB for an empty database. */
const DISK_MB = 24;
const LINES = 60;

const post = async (stack: ConnectorStack, agent: Agent, text: string) => {
  const answer = await fetch(`${stack.baseUrl}/v1/channels/room/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  return { status: answer.status, body: (await answer.json()) as { error?: { code: string; message: string } } };
};

const said = async (agent: Agent) => (await historyOf(agent, '#room')).map(({ text }) => text);

needs('mount namespaces')(
  'while the disk is full sends are refused, history is read, lines wait; with room again all goes on',
  async () => {
    await using disk = await mountSmallDisk(DISK_MB);
    await using stack = await startConnectorStack({ database: await databaseOn(disk) });
    await using agent = await agentIn(stack, 'ada', ['#room']);
    await agent.call('go_online');
    const { sessionId } = await agent.call('see_account_information');
    using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
    bob.say('#room', 'before');
    await waitFor('it is stored', async () => (await said(agent)).includes('before'));
    await disk.fill();
    const texts = Array.from({ length: LINES }, (_, n) => `${'long '.repeat(60)}${n}`);
    for (const text of texts) bob.say('#room', text);

    let accepted = 0;
    const refused = await waitFor('a send is refused', async () => {
      const answer = await post(stack, agent, 'no room');
      accepted += Number(answer.status === 202);
      return answer.status === 503 && answer;
    });

    expect(refused.body.error).toMatchObject({ code: 'database_full' });
    expect(refused.body.error?.message).toContain('the disk of the database is full');
    expect(await said(agent)).toContain('before');
    const unread = await agent.call('read_history', { channel: '#room', mode: 'unread', session_id: sessionId });
    expect(JSON.stringify(unread)).toContain('before');
    expect(stack.connector.output()).not.toContain('no room');

    await disk.free();
    await waitFor('the last line is stored', async () => (await said(agent)).includes(texts.at(-1) ?? ''));
    expect((await said(agent)).filter((text) => text.startsWith('long'))).toEqual(texts);
    expect((await post(stack, agent, 'room again')).status).toBe(202);
    const heard = (text: string) => bob.lines.filter((line) => JSON.stringify(line).includes(text));
    await waitFor('it is said', () => heard('room again').length === 1);
    expect(heard('no room')).toHaveLength(accepted);
  },
);
