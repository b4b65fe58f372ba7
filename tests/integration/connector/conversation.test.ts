import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import type { Agent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn } from '../../harness/person.ts';

const test = testWithStack({ isUnpaced: true });

let agent: Agent;
let other: IrcClient;

const entriesOf = async (channel: string, limit = 200): Promise<WireEntry[]> =>
  (await agent.call('read_history', { channel, mode: 'recent', limit }))['entries'] as WireEntry[];

const entryWith = (channel: string, text: string): Promise<WireEntry> =>
  waitFor(`history has ${text}`, async () => (await entriesOf(channel)).find((entry) => entry.text === text));

test.beforeAll(async () => {
  agent = await agentIn(stack, 'ada', ['#room', '#Ops']);
  other = await joinIrc(stack.ergo, 'bob', ['#room', '#third']);
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  other?.[Symbol.dispose]();
});

test('an account starts offline and says so, with a send refused that names go_online', async () => {
  const information = await agent.call('see_account_information');
  const refused = await agent.attempt('send_message', { channel: '#room', text: 'too early' });

  expect(information).toMatchObject({ nick: 'ada', presence: 'offline', upstreamConnected: false, onlineSince: null });
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toContain('go_online');
});

test('going online connects the network and joins the enabled channels', async () => {
  verifies('connector.tool.go-online');
  const result = await agent.call('go_online');

  expect(result).toEqual({ presence: 'online', upstreamConnected: true });
  await other.seen('ada join', ({ command, sender }) => command === 'JOIN' && sender === 'ada');
  expect(await agent.call('see_account_information')).toMatchObject({
    presence: 'online',
    upstreamConnected: true,
    lastDisconnectedAt: null,
    channels: [
      { channel: '#Ops', joined: true },
      { channel: '#room', joined: true },
    ],
    mentionEvents: { state: 'not_subscribed', dropped: 0, subscriptions: [] },
    settingsUrl: `${stack.baseUrl}/settings`,
  });
});

test('a sent message is seen by others, and its one entry becomes the server’s', async () => {
  verifies('connector.message.linked-entry', 'connector.state.queued-to-echoed', 'connector.tool.send-message');
  const sent = await agent.call('send_message', { channel: 'room', text: 'hello from the agent' });

  expect(sent).toMatchObject({ channel: '#room', status: 'queued', reason: null });
  await other.seen(
    'the message',
    ({ command, params }) => command === 'PRIVMSG' && params[1] === 'hello from the agent',
  );
  await waitFor('the echo is linked', async () => {
    const [entry] = (await entriesOf('#room')).filter(({ messageId }) => messageId === sent['messageId']);
    return entry?.timestampSource === 'server' && entry.entryId === sent['entryId'];
  });
  expect((await entriesOf('#room')).filter(({ text }) => text === 'hello from the agent')).toHaveLength(1);
});

test('the events of others in an enabled channel are in its history exactly once, newest first', async () => {
  verifies('connector.service.1');
  other.say('#room', 'first line');
  other.say('#room', 'same line');
  other.say('#room', 'same line');
  other.say('#room', '\u0001ACTION waves\u0001');
  other.send('TOPIC', '#room', 'a new topic');
  other.send('MODE', '#room', '+m');
  other.send('MODE', '#room', '-m');
  await entryWith('#room', '-m');
  const passerby = await joinIrc(stack.ergo, 'cleo', ['#room']);
  await waitFor('the join is kept', async () => (await entriesOf('#room')).some(({ sender }) => sender === 'cleo'));
  passerby.send('PART', '#room', 'brb');
  await entryWith('#room', 'brb');
  other.say('#room', 'last line');

  await entryWith('#room', 'last line');
  passerby[Symbol.dispose]();
  const seen = (await entriesOf('#room')).filter(({ sender }) => sender !== 'ada').reverse();
  expect(seen.map(({ kind, text }) => `${kind} ${text}`.trim())).toEqual([
    'message first line',
    'message same line',
    'message same line',
    'action waves',
    'topic a new topic',
    'mode +m',
    'mode -m',
    'join',
    'part brb',
    'message last line',
  ]);
  expect(new Set(seen.map(({ entryId }) => entryId)).size).toBe(seen.length);
  expect(seen.every(({ timestampSource }) => timestampSource === 'server')).toBe(true);
});

test('a channel that is granted but not enabled is neither captured nor shown', async () => {
  verifies('connector.account.enabled-channels', 'connector.parameter.channel');
  other.say('#third', 'not for the agent');

  const refused = await agent.attempt('read_history', { channel: '#third', mode: 'recent' });
  const unknown = await agent.attempt('read_history', { channel: '#nowhere', mode: 'recent' });

  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content).replace('#third', '#nowhere')).toBe(JSON.stringify(unknown.content));
});

test('400 characters of four bytes each arrive whole, in as many lines as they need, as one message', async () => {
  verifies('connector.limit.a-character', 'connector.parameter.text');
  const text = '🙂'.repeat(400);

  const sent = await agent.call('send_message', { channel: '#room', text });
  const parts = await waitFor('all parts arrive', () => {
    const lines = other.lines.filter(({ command, params }) => command === 'PRIVMSG' && params[1]?.startsWith('🙂'));
    return lines.map(({ params }) => params[1]).join('').length === text.length && lines;
  });

  expect(parts.map(({ params }) => params[1]).join('')).toBe(text);
  expect(parts.length).toBeGreaterThan(1);
  expect((await entriesOf('#room')).filter(({ messageId }) => messageId === sent['messageId'])).toHaveLength(1);
});

test('text with line breaks or control characters never reaches the socket', async () => {
  verifies('connector.parameter.text', 'connector.limit.message-text-of-send-message');
  for (const text of ['x\r\nQUIT', 'x\nPRIVMSG #room :y', 'a\u0000b', '\u0002bold', '   ']) {
    expect((await agent.attempt('send_message', { channel: '#room', text })).isError).toBe(true);
  }
  for (const channel of ['#room,#Ops', '#room\r\nJOIN #x', 'bob']) {
    expect((await agent.attempt('send_message', { channel, text: 'x' })).isError).toBe(true);
  }
  expect(await agent.call('see_account_information')).toMatchObject({ upstreamConnected: true });
});

test('the same idempotency key sends once, however many calls come at the same time', async () => {
  verifies('connector.parameter.idempotency-key', 'connector.message.messageId');
  const call = () => agent.call('send_message', { channel: '#room', text: 'only once', idempotency_key: 'key-1' });

  const results = await Promise.all(Array.from({ length: 50 }, call));
  const other1 = await agent.attempt('send_message', { channel: '#room', text: 'other', idempotency_key: 'key-1' });

  expect(new Set(results.map(({ messageId }) => messageId)).size).toBe(1);
  expect(other1.isError).toBe(true);
  await other.seen('the message', ({ params }) => params[1] === 'only once');
  expect(other.lines.filter(({ params }) => params[1] === 'only once')).toHaveLength(1);
});

test('a send the channel refuses is failed with the server’s reason, and the same key sends it again', async () => {
  verifies('connector.state.queued-to-failed', 'connector.state.failed-write-to-resend-allowed');
  const send = () => agent.call('send_message', { channel: '#room', text: 'moderated', idempotency_key: 'key-2' });
  const modes = async (mode: string) => (await entriesOf('#room')).filter(({ text }) => text === mode).length;
  const setMode = async (mode: string) => {
    const before = await modes(mode);
    other.send('MODE', '#room', mode);
    await waitFor(`the mode is ${mode}`, async () => (await modes(mode)) > before);
  };
  await setMode('+m');

  const first = await send();
  const refused = await waitFor('the refusal is known', async () => {
    const status = await agent.call('get_message_status', { message_id: first['messageId'] });
    return status['status'] === 'failed' && status;
  });
  await setMode('-m');
  const again = await waitFor('the retry is sent', async () => {
    const retry = await send();
    return other.lines.some(({ params }) => params[1] === 'moderated') && retry;
  });

  expect(refused['reason']).toMatch(/^404 /);
  expect(again['messageId']).toBe(first['messageId']);
  await waitFor('the echo', async () => (await entryWith('#room', 'moderated')).timestampSource === 'server');
  expect(other.lines.filter(({ params }) => params[1] === 'moderated')).toHaveLength(1);
});

test('history, agent session and online state survive a restart of the program', async () => {
  verifies('connector.session.lifetime', 'connector.entry.entryId');
  const { sessionId } = (await agent.call('see_account_information')) as { sessionId: string };
  const before = await entriesOf('#room');

  await stack.restartConnector();
  await waitFor('the account is back', async () => {
    const information = await agent.call('see_account_information', { session_id: sessionId });
    return isInChannels(information) && information['sessionId'] === sessionId;
  });
  other.say('#room', 'after the restart');

  await entryWith('#room', 'after the restart');
  const after = await entriesOf('#room');
  expect(after.filter(({ entryId }) => before.some((entry) => entry.entryId === entryId))).toHaveLength(before.length);
});

test('while the bouncer is down tools say so, and the account recovers when it is back', async () => {
  verifies('connector.information.upstreamConnected');
  await stack.soju.process.stop();
  const refused = await waitFor('the loss is noticed', async () => {
    const result = await agent.attempt('send_message', { channel: '#room', text: 'into the void' });
    return result.isError === true && result;
  });

  expect(JSON.stringify(refused.content)).toContain('the bouncer does not answer');
  expect(await agent.call('see_account_information')).toMatchObject({
    presence: 'online',
    upstreamConnected: null,
    lastDisconnectedAt: expect.any(String),
  });
  expect(await (await fetch(`${stack.baseUrl}/healthz`)).json()).toEqual({ ok: true });

  const browser = await stack.signIn('ada');
  const settings = await browser.open(`${stack.baseUrl}/settings`);
  const saved = await browser.submit(settings, { channel: ['#room', '#third'] }, '/settings');
  expect(saved.body).toContain('The bouncer does not answer at the moment');

  await stack.restartSoju();
  await waitFor(
    'the account is in its channels again',
    async () => isInChannels(await agent.call('see_account_information')),
    { timeoutMs: 60_000 },
  );
  other.say('#third', 'the bouncer is back');
  await entryWith('#third', 'the bouncer is back');
});

test('onlineSince is when the present session with the bouncer began', async () => {
  verifies('connector.information.onlineSince');
  const since = async () =>
    ((await agent.call('see_account_information'))['onlineSince'] as string | null) ?? undefined;
  const before = await waitFor('a session stands', since);
  await agent.call('go_online');
  expect(await since()).toBe(before);

  await stack.soju.process.stop();
  await waitFor('its end is told', async () => (await since()) === undefined);
  await stack.restartSoju();

  const after = await waitFor('a session stands again', since, { timeoutMs: 60_000 });
  expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
});

/** Whether the program has a session of its own in all channels, so that it misses no line there. */
function isInChannels(information: Record<string, unknown>): boolean {
  const channels = information['channels'] as { joined: boolean }[];
  return information['upstreamConnected'] === true && channels.every(({ joined }) => joined);
}

interface WireEntry {
  entryId: string;
  kind: string;
  sender: string;
  text: string;
  target: string | null;
  timestampSource: string;
  messageId: string | null;
  eventTime: string;
}
