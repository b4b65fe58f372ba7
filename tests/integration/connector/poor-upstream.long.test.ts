import { connect } from 'node:net';
import { afterAll, expect } from 'vitest';
import { startNgircd } from '../../../scripts/stack/ngircd.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { captured, historyOf, messagesOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { ProxiedServer } from '../../harness/proxied-server.ts';
import { heardFrom, statusOf } from '../../harness/sending.ts';

const server = new ProxiedServer({ start: startNgircd });
const test = testWithStack({ startServer: server.start, onSocket: true });

let agent: Agent;
let bob: IrcClient;

test.beforeAll(async () => {
  agent = await agentIn(stack, 'ada', ['#room']);
  bob = await joinIrc(server.direct, 'bob', ['#room']);
  await agent.call('go_online');
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  await agent?.[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const messages = () => messagesOf(agent);

test('equal lines of a server without ids are each kept once, whether seen live, missed, or both', async () => {
  const live = ['same', 'same', 'same', 'other', 'same'];
  const missed = ['same', 'same', 'late', 'same'];
  for (const text of live) bob.say('#room', text);
  await waitFor('the live lines are in history', async () => (await messages()).length === live.length);
  await stack.kill('connector');
  for (const text of missed) bob.say('#room', text);
  await stack.revive('connector');
  bob.say('#room', 'the end');

  await captured(agent, 'the end');
  await stack.restartConnector();
  await connected(agent);
  bob.say('#room', 'the very end');
  await captured(agent, 'the very end');

  expect((await messages()).map(({ text }) => text)).toEqual([...live, ...missed, 'the end', 'the very end']);
});

test('bytes that are not UTF-8 from a server that passes them on become text, once, live and replayed', async () => {
  const dora = connect(server.direct.port, server.direct.host);
  dora.resume();
  dora.write(Buffer.from('NICK dora\r\nUSER dora 0 * :dora\r\nJOIN #room\r\nPRIVMSG #room :caf\xe9\r\n', 'latin1'));
  await waitFor('it is in history', async () => (await messages()).some(({ sender }) => sender === 'dora'));

  await stack.restartConnector();
  bob.say('#room', 'behind the bytes');
  await captured(agent, 'behind the bytes');

  dora.destroy();
  expect((await messages()).filter(({ sender }) => sender === 'dora').map(({ text }) => text)).toEqual(['café']);
});

test('the bouncer’s own echo counts once the server had time to refuse, and stays one entry after a replay', async () => {
  const sent = await agent.call('send_message', { channel: '#room', text: 'from the agent' });

  expect(await statusesUntil(sent, 'echoed')).toEqual(['queued', 'echoed']);
  await stack.restartConnector();
  await connected(agent);
  bob.say('#room', 'after the restart');
  await captured(agent, 'after the restart');
  expect((await messages()).filter(({ text }) => text === 'from the agent')).toMatchObject([
    { messageId: sent['messageId'], timestampSource: 'server' },
  ]);
});

test('a send that the bouncer echoes and the server refuses is never echoed, but failed with the reason', async () => {
  bob.send('MODE', '#room', '+m');
  await captured(agent, '+m');

  const sent = await agent.call('send_message', { channel: '#room', text: 'not to be heard' });

  expect(await statusesUntil(sent, 'failed')).toEqual(['queued', 'failed']);
  expect((await statusOf(agent, sent))['reason']).toContain('404');
});

test('two sends around the closing of a channel end by their own answers: one echoed, the refused one failed', async () => {
  bob.send('MODE', '#room', '-m');
  bob.send('MODE', '#room', '+o', 'ada');
  await captured(agent, '+o ada');
  // The account does this to itself just before its second line.
  const closing = ['MODE #room +m', 'MODE #room -o ada'].join('\r\n');
  server.proxy.toServer = (line) => (line.includes('behind it') ? `${closing}\r\n${line}` : line);

  const sent = await Promise.all(
    ['before it is closed', 'behind it'].map((text) => agent.call('send_message', { channel: '#room', text })),
  );
  const statuses = await waitFor('both are decided', async () => {
    const now = await Promise.all(sent.map((each) => statusOf(agent, each)));
    return now.every(({ status }) => status === 'echoed' || status === 'failed') && now;
  });

  server.proxy.toServer = (line) => line;
  expect(statuses).toMatchObject([
    { status: 'echoed', reason: null },
    { status: 'failed', reason: expect.stringContaining('404') },
  ]);
  expect(heardFrom(bob, 'ada')).toContain('before it is closed');
  expect(heardFrom(bob, 'ada')).not.toContain('behind it');
});

test('a quit and a new nick are activity of every channel the person was in', async () => {
  bob.send('MODE', '#room', '-m');
  using cleo = await joinIrc(server.direct, 'cleo', ['#room']);
  cleo.send('NICK', 'clio');
  await cleo.seen('its new nick', ({ command }) => command === 'NICK');
  cleo.send('QUIT', 'so long');

  const last = await waitFor('the quit is in history', async () =>
    (await historyOf(agent, '#room')).find(({ kind, sender }) => kind === 'part' && sender === 'clio'),
  );

  expect(last.text).toContain('so long');
  expect(
    (await historyOf(agent, '#room'))
      .filter(({ sender }) => sender === 'cleo' || sender === 'clio')
      .map(({ kind, sender, text }) => `${kind} ${sender} ${text}`.trim()),
  ).toEqual([
    'join cleo',
    'part cleo is now known as clio',
    'join clio was known as cleo',
    expect.stringContaining('part clio'),
  ]);
});

/** Every status a message is seen in until it has this one. */
async function statusesUntil(sent: Record<string, unknown>, last: string): Promise<unknown[]> {
  const seen: unknown[] = [sent['status']];
  await waitFor(`the message is ${last}`, async () => {
    const { status } = await statusOf(agent, sent);
    if (status !== seen.at(-1)) seen.push(status);
    return status === last;
  });
  return seen;
}
