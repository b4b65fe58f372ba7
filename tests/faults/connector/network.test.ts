import { afterAll, beforeAll, expect, test } from 'vitest';
import { startErgo } from '../../../scripts/stack/ergo.ts';
import type { IrcServer } from '../../../scripts/stack/irc-server.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { historyOf } from '../../harness/flood.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { type IrcProxy, startIrcProxy } from '../../harness/irc-proxy.ts';
import { keptBySoju } from '../../harness/soju-history.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

const HOUR_MS = 60 * 60 * 1_000;

let stack: ConnectorStack;
let agent: Agent;
let bob: IrcClient;
let proxy: IrcProxy;
/** Where people other than the connector's connect. */
let direct: IrcServer;

beforeAll(async () => {
  stack = await startConnectorStack({
    startServer: async (options) => {
      direct = await startErgo(options);
      proxy = await startIrcProxy(direct.port);
      return { ...direct, port: proxy.port };
    },
  });
  const browser = await stack.signIn('ada');
  await browser.submit(await browser.open(`${stack.baseUrl}/settings`), { channel: ['#room'] }, '/settings');
  agent = await connectAgent(stack, 'ada');
  bob = await joinIrc(direct, 'bob', ['#room']);
  await agent.call('go_online');
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  await agent?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
});

const information = () => agent.call('see_account_information');

const status = () => fetch(`${stack.baseUrl}/v1/status`, { headers: { authorization: `Bearer ${agent.accessToken}` } });

const said = async (text: string) =>
  waitFor(`history has "${text}"`, async () => (await historyOf(agent, '#room')).find((entry) => entry.text === text));

const send = (text: string) => agent.call('send_message', { channel: '#room', text });

const statusOf = (sent: Record<string, unknown>) => agent.call('get_message_status', { message_id: sent['messageId'] });

const becomes = (sent: Record<string, unknown>, status: string) =>
  waitFor(`the message is ${status}`, async () => (await statusOf(sent))['status'] === status);

const adaJoins = (from: number) =>
  waitFor('ada is back', () =>
    bob.lines.slice(from).find(({ command, sender }) => command === 'JOIN' && sender === 'ada'),
  );

test('after a server resets the connection it is back within seconds, with a gap', async () => {
  const before = bob.lines.length;

  proxy.reset();

  await waitFor('the loss is known', async () => (await information())['upstreamConnected'] === false);
  await adaJoins(before);
  await waitFor('it is connected', async () => (await information())['upstreamConnected'] === true);
  bob.say('#room', 'after the reset');
  await said('after the reset');
  const gaps = (await historyOf(agent, '#room')).filter(({ kind }) => kind === 'gap');
  expect(gaps).toMatchObject([{ gap: { reason: 'disconnected' }, timestampSource: 'local' }]);
  expect((await information())['lastDisconnectedAt']).toBe(gaps[0]?.gap?.from);
});

test('a send that the server drops silently fails once the server answers a later question', async () => {
  proxy.toServer = (line) => (line.includes('swallow me') ? undefined : line);

  const sent = await send('swallow me');

  expect(sent['status']).toBe('queued');
  await becomes(sent, 'failed');
  proxy.toServer = (line) => line;
  expect((await statusOf(sent))['reason']).toContain('dropped it without giving a reason');
});

test('a send into a network that hangs stays queued, and is echoed when the network goes on', async () => {
  direct.process.kill('SIGSTOP');
  const sent = await send('through a hanging server');
  const other = await send('and another');
  expect([(await statusOf(sent))['status'], (await statusOf(other))['status']]).toEqual(['queued', 'queued']);

  direct.process.kill('SIGCONT');

  await becomes(sent, 'echoed');
  await becomes(other, 'echoed');
});

test('lines of a server whose clock is an hour ahead are kept live and replayed, once', async () => {
  const ahead = (line: string) =>
    line.replace(/time=([^; ]+)/, (_, time: string) => `time=${new Date(Date.parse(time) + HOUR_MS).toISOString()}`);
  proxy.fromServer = ahead;
  bob.say('#room', 'from the future, live');
  await said('from the future, live');
  await stack.kill('connector');
  bob.say('#room', 'from the future, missed');
  await waitFor('the bouncer has it', async () => (await keptBySoju(stack.folder)).includes('from the future, missed'));
  proxy.fromServer = (line) => line;
  await stack.revive('connector');
  await said('from the future, missed');

  const entries = (await historyOf(agent, '#room')).filter(({ text }) => text.startsWith('from the future'));

  expect(entries.map(({ text }) => text)).toEqual(['from the future, live', 'from the future, missed']);
});

test('a hanging bouncer makes the state of the network unknown, not offline, and requests that need it say so', async () => {
  stack.soju.process.kill('SIGSTOP');

  await waitFor('the state is unknown', async () => (await information())['upstreamConnected'] === null, {
    timeoutMs: 40_000,
  });
  expect(await information()).toMatchObject({ presence: 'online' });
  expect((await status()).status).toBe(503);
  stack.soju.process.kill('SIGCONT');

  await waitFor('the state is known', async () => (await information())['upstreamConnected'] === true);
  bob.say('#room', 'after the bouncer hung');
  await said('after the bouncer hung');
});

test('going offline leaves the network for all agents, keeps the history, and captures nothing', async () => {
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
  const people = await Promise.all(Array.from({ length: 300 }, (_, n) => joinIrc(direct, `crowd${n}`, ['#room'])));
  const partings = async () =>
    (await historyOf(agent, '#room')).filter(({ kind, sender }) => kind === 'part' && sender.startsWith('crowd'));

  for (const person of people) person[Symbol.dispose]();

  await waitFor('all have left', async () => (await partings()).length >= people.length, { timeoutMs: 30_000 });
  expect(new Set((await partings()).map(({ sender }) => sender)).size).toBe(people.length);
  expect(await partings()).toHaveLength(people.length);
});
