import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { captured, historyOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected, enableChannels, informationOf } from '../../harness/person.ts';
import { ProxiedServer } from '../../harness/proxied-server.ts';
import { becomes } from '../../harness/sending.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

/** The waits before the account rejoins; each may be up to a fifth longer at random. */
const REJOIN_WAITS_MS = [5_000, 15_000, 60_000];
const KICKS_DEADLINE_MS = 120_000;

/** Bans do not hold for the loopback address. */
const FROM_ELSEWHERE = 'PROXY TCP4 198.51.100.7 198.51.100.1 50000 6667';

let stack: ConnectorStack;
let server: ProxiedServer;
let ada: Agent;
/** Joins #third and is kicked repeatedly, while the other tests run. */
let eve: Agent;
/** Operator of all channels, because he joined first. */
let bob: IrcClient;
let thrownOut: Promise<number[]>;

beforeAll(async () => {
  const proxiedPort = await freePort();
  server = new ProxiedServer({ port: proxiedPort, opening: FROM_ELSEWHERE });
  stack = await startConnectorStack({
    isUnpaced: true,
    startServer: (options) => server.start({ ...options, hasOperator: true, proxiedPort }),
  });
  bob = await joinIrc(server.direct, 'bob', ['#room', '#Ops', '#third']);
  await stack.invite('eve');
  eve = await agentIn(stack, 'eve', ['#third']);
  await eve.call('go_online');
  thrownOut = throwOutAgainAndAgain();
  ada = await agentIn(stack, 'ada', ['#room']);
  await ada.call('go_online');
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  for (const part of [ada, eve, server, stack]) await part?.[Symbol.asyncDispose]();
});

const enable = (login: string, ...channels: string[]): Promise<void> => enableChannels(stack, login, channels);

const joinsOfEve = () =>
  bob.lines.filter(({ command, sender, params }) => command === 'JOIN' && sender === 'eve' && params[0] === '#third');

const information = () => informationOf(ada);

for (const [numeric, why, closed, open] of [
  ['473', 'invited people', ['+i'], ['-i']],
  ['474', 'people who are not banned', ['+b', 'ada!*@*'], ['-b', 'ada!*@*']],
  ['475', 'people with a key', ['+k', 'secret'], ['-k', 'secret']],
  ['471', 'as many people as it has', ['+l', '1'], ['-l']],
  ['477', 'registered people', ['+R'], ['-R']],
] as const) {
  test(`a channel for ${why} alone says so with ${numeric}, and a send from outside is failed with the words of the server`, async () => {
    await setMode('#Ops', ...closed);
    await enable('ada', '#room', '#Ops');

    expect(await refusalOf('#Ops')).toMatch(new RegExp(`^${numeric} `));
    const text = `to ${why} from the outside`;
    const sent = await ada.call('send_message', { channel: '#Ops', text });
    const failed = await becomes(ada, sent, 'failed');

    expect(failed['reason']).toMatch(/^404 /);
    expect(JSON.stringify(bob.lines)).not.toContain(text);
    await setMode('#Ops', ...open);
    await ada.call('go_online');
    expect(await channelOf(ada, '#Ops')).toMatchObject({ joined: true, notJoinedReason: null });
    const before = bob.lines.length;
    await enable('ada', '#room');
    await waitFor('ada has left', () =>
      bob.lines.slice(before).some(({ command, params }) => command === 'PART' && params[0] === '#Ops'),
    );
  });
}

test('a person banned from the network is told so in the words of the server, and comes back once the ban is lifted', async () => {
  bob.send('OPER', 'root', 'operator');
  await bob.seen('operator rights', ({ command }) => command === '381');
  bob.send('KLINE', 'ANDKILL', 'ada!*@*', 'no agents here');

  const [problem = ''] = await waitFor(
    'the ban is told',
    async () => {
      const problems = (await information())['problems'] as string[];
      return problems.some((text) => text.includes('no agents here')) && problems;
    },
    { timeoutMs: 30_000 },
  );

  expect(problem).toMatch(/^the IRC network is not connected: .*banned from this server \(no agents here\)/);
  expect(await information()).toMatchObject({ presence: 'online', upstreamConnected: false });
  await waitFor('it is logged', () => stack.connector.output().includes('refuses this account for good'));
  bob.send('UNKLINE', 'ada!*@*');
  await ada.call('go_online');
  await connected(ada);
  expect((await information())['problems']).toEqual([]);
  bob.say('#room', 'after the ban');
  await captured(ada, 'after the ban');
});

test('an account that is thrown out again and again goes back three times, later and later, and again when a person decides so', async () => {
  const waits = await thrownOut;

  for (const [index, least] of REJOIN_WAITS_MS.entries()) expect(waits[index]).toBeGreaterThan(least * 0.9);
  await waitFor('the last kick is known', async () => (await channelOf(eve, '#third'))?.['joined'] === false);
  expect((await channelOf(eve, '#third'))?.['notJoinedReason']).toBe('kicked by bob: out 4');
  const history = await historyOf(eve, '#third');
  expect(history.filter(({ kind }) => kind === 'kick')).toHaveLength(4);
  expect(history.filter(({ gap }) => gap?.reason === 'not_joined')).toHaveLength(3);
  await eve.call('go_online');
  expect(await channelOf(eve, '#third')).toMatchObject({ joined: true, notJoinedReason: null });
});

/** Kicks eve each time she joins; resolves with how long she stayed away each time. */
async function throwOutAgainAndAgain(): Promise<number[]> {
  const waits: number[] = [];
  for (let kicks = 1; ; kicks += 1) {
    const last = performance.now();
    await waitFor(`eve comes for time ${kicks}`, () => joinsOfEve().length === kicks, { timeoutMs: KICKS_DEADLINE_MS });
    if (kicks > 1) waits.push(performance.now() - last);
    bob.send('KICK', '#third', 'eve', `out ${kicks}`);
    if (waits.length === REJOIN_WAITS_MS.length) return waits;
  }
}

async function setMode(...modes: string[]): Promise<void> {
  const before = bob.lines.length;
  bob.send('MODE', ...modes);
  await waitFor(`the mode is ${modes}`, () => bob.lines.slice(before).some(({ command }) => command === 'MODE'));
}

async function channelOf(agent: Agent, name: string) {
  const { channels } = await informationOf(agent);
  return (channels as Record<string, unknown>[]).find(({ channel }) => channel === name);
}

function refusalOf(channel: string) {
  return waitFor('the refusal is known', async () => {
    const known = await channelOf(ada, channel);
    return known?.['joined'] === false && (known['notJoinedReason'] ?? false);
  });
}
