import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { type ErgoOptions, startErgo } from '../../../scripts/stack/ergo.ts';
import type { IrcServer } from '../../../scripts/stack/irc-server.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { captured, historyOf, unreadOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { lockDatabase } from '../../harness/lock-database.ts';
import { connected, enableChannels, informationOf } from '../../harness/person.ts';
import { ProxiedServer } from '../../harness/proxied-server.ts';
import { keptBySoju } from '../../harness/soju-history.ts';
import { watchIdle } from '../../harness/watch-idle.ts';
import { watchLoad } from '../../harness/watch-load.ts';

const FLOOD_LINES = 5_000;
/** Going online waits longer than this for channels without an answer, in milliseconds. */
const ANSWERED_MS = 4_000;
/** Lines at which reading from the bouncer stops, and the bound with those that one read may bring beyond it. */
const PAUSE_AT = 2_000;
const QUEUE_BOUND = PAUSE_AT + 1_500;
const HOUR_MS = 60 * 60 * 1_000;
/** Two questions at this interval, each awaited for half of it, then the first wait before a forced reconnect. */
const PROBE_SECONDS = 2;

const test = testWithStack({
  isUnpaced: true,
  bouncer: { upstreamProbeSeconds: PROBE_SECONDS },
  startServer: (options) => server.start({ ...options, hasOperator: true }),
});

let agent: Agent;
let bob: IrcClient;
const server = new ProxiedServer();
/** The server as people reach it. */
let direct: IrcServer;

test.beforeAll(async () => {
  direct = server.direct;
  bob = await joinIrc(direct, 'bob', ['#room', '#third']);
  await enable('#room');
  agent = await connectAgent(stack, 'ada');
  await agent.call('go_online');
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  await agent?.[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

let told = 0;

const enable = (...channels: string[]): Promise<void> => enableChannels(stack, 'ada', channels);

const information = () => informationOf(agent);

const channelOf = async (channel: string) =>
  ((await information())['channels'] as Record<string, unknown>[]).find((each) => each['channel'] === channel);

const said = (text: string) => captured(agent, text);

const texts = async (of: RegExp) =>
  (await historyOf(agent, '#room')).map(({ text }) => text).filter((text) => of.test(text));

test('a network that swallows everything is noticed by probes, reported as unknown, and replaced by a new connection', async () => {
  const before = bob.lines.length;
  server.proxy.isBlackhole = true;

  await waitFor('the state is unknown', async () => (await information())['upstreamConnected'] === null);
  const status = await fetch(`${stack.baseUrl}/v1/status`, {
    headers: { authorization: `Bearer ${agent.accessToken}` },
  });
  server.proxy.isBlackhole = false;

  expect([status.status, await status.json()]).toMatchObject([200, { connected: false }]);
  await waitFor('ada comes anew', () =>
    bob.lines.slice(before).find(({ command, sender }) => command === 'JOIN' && sender === 'ada'),
  );
  await connected(agent);
  bob.say('#room', 'after the black hole');
  await said('after the black hole');
});

test('a channel that lets nobody in says why, and going online asks again', async () => {
  bob.send('MODE', '#third', '+i');
  await enable('#room', '#third');

  const refused = await waitFor('the refusal is known', async () => {
    const channel = await channelOf('#third');
    return channel?.['notJoinedReason'] !== null && channel;
  });

  expect(refused).toMatchObject({ joined: false, notJoinedReason: expect.stringMatching(/^473 /) });
  using waited = watchIdle();
  await agent.call('go_online');
  expect(waited.read()).toBeLessThan(ANSWERED_MS);
  expect(await channelOf('#third')).toMatchObject({ notJoinedReason: expect.stringMatching(/^473 /) });
  bob.send('MODE', '#third', '-i');
  await bob.seen('the mode is off', ({ command, params }) => command === 'MODE' && params[1] === '-i');
  await agent.call('go_online');
  expect(await channelOf('#third')).toMatchObject({ joined: true, notJoinedReason: null });
});

test('a kick followed by a ban is reported in the server’s words', async () => {
  bob.send('MODE', '#third', '+b', 'ada!*@*');
  bob.send('KICK', '#third', 'ada', 'enough');
  await waitFor('the kick is known', async () => (await channelOf('#third'))?.['joined'] === false);
  expect((await channelOf('#third'))?.['notJoinedReason']).toBe('kicked by bob: enough');

  const banned = await waitFor(
    'the ban is known',
    async () => {
      const channel = await channelOf('#third');
      return /^474 /.test(String(channel?.['notJoinedReason'])) && channel;
    },
    { timeoutMs: 40_000 },
  );

  expect(banned).toMatchObject({ joined: false });
  expect((await historyOf(agent, '#third')).filter(({ kind }) => kind === 'kick')).toMatchObject([{ target: 'ada' }]);
  await enable('#room');
});

test('when an operator kills the connection of the account, the loss is reported and the account comes back', async () => {
  const { lastDisconnectedAt: earlier } = await information();
  const gaps = async () => (await historyOf(agent, '#room')).flatMap(({ gap }) => gap ?? []);
  const before = await gaps();
  bob.send('OPER', 'root', 'operator');
  await bob.seen('operator rights', ({ command }) => command === '381');

  bob.send('KILL', 'ada', 'out');

  const lastDisconnectedAt = await waitFor('the loss is told', async () => {
    const { lastDisconnectedAt: now } = await information();
    return now !== earlier && now;
  });
  await connected(agent);
  const [gap] = await waitFor('the gap is told', async () => {
    const now = await gaps();
    return now.length > before.length && now;
  });
  expect(gap).toMatchObject({ reason: 'disconnected' });
  // The account may be back by the server's clock before the loss was noticed by ours: then the gap begins earlier.
  expect(Date.parse(gap?.from ?? '')).toBeLessThanOrEqual(Date.parse(String(lastDisconnectedAt)));
});

test('a nick somebody else has is replaced, mentions go by the one in use, and the own one comes back', async () => {
  const before = bob.lines.length;
  await agent.call('go_offline');
  await waitFor('the nick is free', () =>
    bob.lines.slice(before).find(({ command, sender }) => command === 'QUIT' && sender === 'ada'),
  );
  const squatter = await joinIrc(direct, 'ada', []);
  await agent.call('go_online');
  const { nick, sessionId } = await information();
  expect(nick).not.toBe('ada');

  bob.say('#room', `${nick}: is it you?`);
  bob.say('#room', 'ada: or you?');
  await said('ada: or you?');
  const { entries } = await agent.call('read_history', {
    channel: '#room',
    mode: 'unread',
    session_id: sessionId,
    limit: 200,
  });
  squatter[Symbol.dispose]();

  expect((entries as { text: string; mention: boolean }[]).slice(-2)).toMatchObject([
    { text: `${nick}: is it you?`, mention: true },
    { text: 'ada: or you?', mention: false },
  ]);
  await waitFor('the nick is back', async () => (await information())['nick'] === 'ada');
});

test('bytes that are not UTF-8 are text of windows-1252, and a NUL is left out, once, live and replayed', async () => {
  const tell = (n: number, text: string) =>
    server.proxy.tell(`@time=${new Date().toISOString()};msgid=raw${n} :eve!e@h PRIVMSG #room :${text}`);
  tell(1, 'caf\u00e9 in latin1');
  tell(2, 'a NUL\0 within');
  bob.say('#room', 'after the bytes');
  await said('after the bytes');

  await stack.restartConnector();
  bob.say('#room', 'after their replay');
  await said('after their replay');

  expect(await texts(/latin1/)).toEqual(['caf\u00e9 in latin1']);
  expect(await texts(/NUL/)).toEqual(await keptNulLines());
});

/** soju ends a line at a NUL or passes it on; history has what it stored, without the NUL. */
const keptNulLines = async () =>
  (await keptBySoju(stack.folder)).filter((text) => /NUL/.test(text)).map((text) => text.replaceAll('\0', ''));

test('lines of a server whose clock is an hour behind are kept live and replayed, once', async () => {
  server.proxy.fromServer = (line) =>
    line.replace(/time=([^; ]+)/, (_, time: string) => `time=${new Date(Date.parse(time) - HOUR_MS).toISOString()}`);
  bob.say('#room', 'from the past, live');
  await said('from the past, live');
  await stack.kill('connector');
  bob.say('#room', 'from the past, missed');
  await waitFor('the bouncer has it', async () => (await keptBySoju(stack.folder)).includes('from the past, missed'));
  await stack.revive('connector');
  await said('from the past, missed');
  server.proxy.fromServer = (line) => line;

  expect(await texts(/^from the past/)).toEqual(['from the past, live', 'from the past, missed']);
});

test('more lines of one millisecond than the bouncer sends become a gap, and the lines after them are stored', async () => {
  await stack.kill('connector');
  const time = new Date().toISOString();
  for (let n = 0; n < 1_200; n += 1)
    server.proxy.tell(`@time=${time};msgid=same${n} :eve!e@h PRIVMSG #room :same ${n}`);
  bob.say('#room', 'after the same millisecond');
  await waitFor('the bouncer has all', async () =>
    (await keptBySoju(stack.folder)).includes('after the same millisecond'),
  );

  await stack.revive('connector');

  await said('after the same millisecond');
  const gaps = (await historyOf(agent, '#room')).filter(({ gap }) => gap?.reason === 'too_many_at_once');
  expect(gaps.map(({ gap }) => [gap?.from, gap?.to])).toEqual([[time, time]]);
});

test('a flood of mentions is held back while the database is locked, and each line is kept, in order, and marked', async () => {
  const { sessionId } = await information();
  await unreadOf(agent, sessionId);
  const lock = await lockDatabase(stack.database.connect());
  const watched = watchLoad(stack);
  tellAll((n) => `PRIVMSG #room :ada: flood ${n}`);
  await waitFor('the bouncer has all', async () =>
    (await keptBySoju(stack.folder)).includes(`ada: flood ${FLOOD_LINES - 1}`),
  );

  await lock.release();
  await said(`ada: flood ${FLOOD_LINES - 1}`);

  const flood = (await unreadOf(agent, sessionId)).filter(({ text }) => /^ada: flood/.test(text));
  expect(flood.map(({ text }) => text)).toEqual(Array.from({ length: FLOOD_LINES }, (_, n) => `ada: flood ${n}`));
  expect(flood.every(({ mention }) => mention)).toBe(true);
  const { queuedLines } = await watched();
  expect(queuedLines).toBeGreaterThan(PAUSE_AT / 2);
  expect(queuedLines).toBeLessThan(QUEUE_BOUND);
});

test('five thousand people who come and are split off at once are each a join and a part, once', async () => {
  tellAll((n) => ({ sender: `split${n}`, line: 'JOIN #room' }));
  tellAll((n) => ({ sender: `split${n}`, line: 'QUIT :irc.a irc.b' }));
  bob.say('#room', 'after the split');
  await said('after the split');

  const split = (await historyOf(agent, '#room')).filter(({ sender }) => sender.startsWith('split'));
  const count = (of: string) => new Set(split.filter(({ kind }) => kind === of).map(({ sender }) => sender)).size;

  expect([count('join'), count('part'), split.length]).toEqual([FLOOD_LINES, FLOOD_LINES, 2 * FLOOD_LINES]);
});

for (const [numeric, what, change] of [
  ['464', 'wants a password', { isClosed: true }],
  ['432', 'takes no nick so long', { nickLength: 2 }],
] as const) {
  test(`a server that ${what} is told with ${numeric}, and is not asked again and again`, async () => {
    const answers: string[] = [];
    server.proxy.fromServer = (line) => {
      const [, answer = ''] = /(?:^| ):\S+ (001|464|432) /.exec(line) ?? [];
      if (answer !== '') answers.push(answer);
      return line;
    };
    await restartServer(change);

    // A bare number could be part of a port in the words of the loss itself.
    const refusal = `registration error (${numeric})`;
    await waitFor(
      'the refusal is told',
      async () => ((await information())['problems'] as string[]).some((problem) => problem.includes(refusal)),
      { timeoutMs: 30_000 },
    );
    await waitFor('it is logged', () => stack.connector.output().includes('refuses this account for good'));
    expect(await information()).toMatchObject({ upstreamConnected: false, presence: 'online' });
    await restartServer({});
    await agent.call('go_online');

    await connected(agent);
    expect((await information())['problems']).toEqual([]);
    expect(answers).toEqual([numeric, '001']);
    server.proxy.fromServer = (line) => line;
    await stack.restartConnector();
  });
}

/** Restarts the server with another configuration. */
async function restartServer(change: Partial<ErgoOptions>): Promise<void> {
  await direct.process.stop();
  direct = await startErgo({ folder: join(stack.folder, 'ergo'), port: direct.port, hasOperator: true, ...change });
  // The stack ends this process.
  stack.ergo.process = direct.process;
}

/** Sends lines as if from the server, all at once. */
function tellAll(lineOf: (n: number) => string | { sender: string; line: string }): void {
  for (let n = 0; n < FLOOD_LINES; n += 1) {
    const made = lineOf(n);
    const { sender, line } = typeof made === 'string' ? { sender: 'eve', line: made } : made;
    told += 1;
    server.proxy.tell(`@time=${new Date().toISOString()};msgid=told${told} :${sender}!e@h ${line}`);
  }
}
