import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import type { Agent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { captured, gapsOf, historyOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected, informationOf } from '../../harness/person.ts';
import { ProxiedServer } from '../../harness/proxied-server.ts';
import { becomes, statusOf } from '../../harness/sending.ts';
import { keptBySoju } from '../../harness/soju-history.ts';

const HOUR_MS = 60 * 60 * 1_000;

const server = new ProxiedServer();
const test = testWithStack({ startServer: server.start });

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

const information = () => informationOf(agent);

const status = () => fetch(`${stack.baseUrl}/v1/status`, { headers: { authorization: `Bearer ${agent.accessToken}` } });

const said = (text: string) => captured(agent, text);

const send = (text: string) => agent.call('send_message', { channel: '#room', text });

test('a server that speaks in the words of the bouncer ends no session, and nothing of it is believed', async () => {
  bob.say('#room', 'before the words');
  await said('before the words');
  const before = stack.connector.output().length;
  const known = await (await status()).json();

  // The number of the network at the bouncer is small, and easily tried out.
  for (let id = 1; id <= 9; id += 1) {
    for (const words of ['name=other', 'state=disconnected', 'error=fatal\\sserver\\serror:\\sbanned', '*']) {
      server.proxy.tell(`@time= :bouncer.homeport.test BOUNCER NETWORK ${id} ${words}`);
      server.proxy.tell(`BOUNCER NETWORK ${id} ${words}`);
    }
    server.proxy.tell(`:bouncer.homeport.test PONG bouncer.homeport.test flush-${id}`);
  }
  bob.say('#room', 'after the words');
  await said('after the words');

  expect(known).toMatchObject({ connected: true, joined_channels: ['#room'] });
  expect(await (await status()).json()).toEqual(known);
  expect(stack.connector.output().slice(before)).not.toContain('the session with the bouncer ended');
});

test('after a server resets the connection it is back within seconds, with a gap', async () => {
  const before = bob.lines.length;

  server.proxy.reset();

  await waitFor('the loss is known', async () => (await information())['upstreamConnected'] === false);
  await adaJoins(before);
  await connected(agent);
  bob.say('#room', 'after the reset');
  await said('after the reset');
  const gaps = await gapsOf(agent);
  expect(gaps).toMatchObject([{ gap: { reason: 'disconnected' }, timestampSource: 'local' }]);
  expect((await information())['lastDisconnectedAt']).toBe(gaps[0]?.gap?.from);
});

test('a send that the server drops silently stays queued, and its key does not say it again', async () => {
  let isSwallowed = false;
  server.proxy.toServer = (line) => {
    if (!line.includes('swallow me')) return line;
    isSwallowed = true;
    return undefined;
  };
  const call = { channel: '#room', text: 'swallow me', idempotency_key: 'key-dropped' };

  const sent = await agent.call('send_message', call);

  expect(sent['status']).toBe('queued');
  await waitFor('the server has it', () => isSwallowed);
  server.proxy.toServer = (line) => line;
  bob.say('#room', 'said behind it');
  await said('said behind it');
  expect(await agent.call('send_message', call)).toMatchObject({
    ...{ messageId: sent['messageId'], status: 'queued' },
  });
  expect(bob.lines.filter(({ params }) => params[1] === 'swallow me')).toEqual([]);
});

test('a send into a network that hangs stays queued, and is echoed when the network goes on', async () => {
  verifies('connector.state.queued-to-queued');
  server.direct.process.kill('SIGSTOP');
  const sent = await send('through a hanging server');
  const other = await send('and another');
  expect([(await statusOf(agent, sent))['status'], (await statusOf(agent, other))['status']]).toEqual([
    'queued',
    'queued',
  ]);

  server.direct.process.kill('SIGCONT');

  await becomes(agent, sent, 'echoed');
  await becomes(agent, other, 'echoed');
});

test('lines of a server whose clock is an hour ahead are kept live and replayed, once', async () => {
  const ahead = (line: string) =>
    line.replace(/time=([^; ]+)/, (_, time: string) => `time=${new Date(Date.parse(time) + HOUR_MS).toISOString()}`);
  server.proxy.fromServer = ahead;
  bob.say('#room', 'from the future, live');
  await said('from the future, live');
  await stack.kill('connector');
  bob.say('#room', 'from the future, missed');
  await waitFor('the bouncer has it', async () => (await keptBySoju(stack.folder)).includes('from the future, missed'));
  server.proxy.fromServer = (line) => line;
  await stack.revive('connector');
  await said('from the future, missed');

  const entries = (await historyOf(agent, '#room')).filter(({ text }) => text.startsWith('from the future'));

  expect(entries.map(({ text }) => text)).toEqual(['from the future, live', 'from the future, missed']);
});

test('a hanging bouncer makes the state of the network unknown, not offline, and requests that need it say so', async () => {
  verifies('connector.information.upstreamConnected');
  stack.soju.process.kill('SIGSTOP');

  await waitFor('the state is unknown', async () => (await information())['upstreamConnected'] === null, {
    timeoutMs: 40_000,
  });
  expect(await information()).toMatchObject({ presence: 'online' });
  expect((await status()).status).toBe(503);
  stack.soju.process.kill('SIGCONT');

  await connected(agent);
  bob.say('#room', 'after the bouncer hung');
  await said('after the bouncer hung');
});

test('going offline leaves the network for all agents, keeps the history, and captures nothing', async () => {
  verifies('connector.service.5', 'connector.tool.go-offline');
  const before = bob.lines.length;

  await agent.call('go_offline');

  await waitFor('ada has quit', () =>
    bob.lines.slice(before).find(({ command, sender }) => command === 'QUIT' && sender === 'ada'),
  );
  expect(await information()).toMatchObject({ presence: 'offline', upstreamConnected: false, onlineSince: null });
  expect((await agent.attempt('send_message', { channel: '#room', text: 'x' })).isError).toBe(true);
  bob.say('#room', 'nobody listens');
  await stack.restartConnector();
  await agent.call('go_online');
  bob.say('#room', 'somebody listens');
  await said('somebody listens');
  expect((await historyOf(agent, '#room')).map(({ text }) => text)).not.toContain('nobody listens');
});

test('several hundred people who leave at once are each one entry, in bounded time', async () => {
  const people = await Promise.all(
    Array.from({ length: 300 }, (_, n) => joinIrc(server.direct, `crowd${n}`, ['#room'])),
  );
  const partings = async () =>
    (await historyOf(agent, '#room')).filter(({ kind, sender }) => kind === 'part' && sender.startsWith('crowd'));

  for (const person of people) person[Symbol.dispose]();

  await waitFor('all have left', async () => (await partings()).length >= people.length, { timeoutMs: 30_000 });
  expect(new Set((await partings()).map(({ sender }) => sender)).size).toBe(people.length);
  expect(await partings()).toHaveLength(people.length);
});

function adaJoins(from: number) {
  return waitFor('ada is back', () =>
    bob.lines.slice(from).find(({ command, sender }) => command === 'JOIN' && sender === 'ada'),
  );
}
