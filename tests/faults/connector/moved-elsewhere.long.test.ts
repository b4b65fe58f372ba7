import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { captured, gapsOf, historyOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected, informationOf } from '../../harness/person.ts';
import { ProxiedServer } from '../../harness/proxied-server.ts';

const server = new ProxiedServer();
const test = testWithStack({ startServer: server.start });

let agent: Agent;
let bob: IrcClient;
/** Lines from the bouncer to the server. */
let passedOn: string[] = [];

test.beforeAll(async () => {
  server.proxy.toServer = (line) => {
    passedOn.push(line);
    return line;
  };
  agent = await agentIn(stack, 'ada', ['#room', '#Ops']);
  bob = await joinIrc(server.direct, 'bob', ['#room', '#Ops', '#elsewhere']);
  await agent.call('go_online');
  await connected(agent);
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  await agent?.[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const isBackIn = (name: string) =>
  waitFor('ada is back', async () => (await channelOf(name))?.['joined'] === true, { timeoutMs: 60_000 });

test('a channel that the server makes the account leave says why, has a gap, and is joined again', async () => {
  passedOn = [];
  // The account has left for the server, too, before the bouncer asks to be let in.
  server.proxy.tell(':ada!a@host PART #room :removed by services');
  expect(await reasonFor('#room')).toBe('taken out of the channel: removed by services');

  await waitFor('the bouncer asks to be let in', () => passedOn.some((line) => /(^| )JOIN :?#room/.test(line)));
  server.proxy.tell(':ada!a@host JOIN #room');
  await isBackIn('#room');

  expect(await channelOf('#room')).toMatchObject({ joined: true, notJoinedReason: null });
  await waitFor('the gap is known', async () => (await gapsOf(agent)).length > 0);
  expect(await gapsOf(agent)).toMatchObject([{ gap: { reason: 'not_joined' } }]);
});

for (const [how, lines] of [
  ['a rename that is told as a part and a join', [':ada!a@host PART #Ops :Channel renamed', ':ada!a@host JOIN #moved']],
  ['a forward', [':ada!a@host PART #Ops :out', ':irc.test 470 ada #Ops #moved :Forwarding', ':ada!a@host JOIN #moved']],
  ['an operator who brings it there', [':ada!a@host JOIN #moved']],
] as const) {
  test(`the account leaves at once a channel that is not enabled, and where it came to by ${how}`, async () => {
    passedOn = [];
    for (const line of lines) server.proxy.tell(line);

    await waitFor('it is left', () => passedOn.some((line) => /(^| )PART :?#moved/.test(line)));
    server.proxy.tell(':ada!a@host PART #moved');
    await waitFor('it is not in there', async () => !(await joinedChannels()).includes('#moved'));
    if (lines.length > 1) {
      await waitFor('it asks to be let in', () => passedOn.some((line) => /(^| )JOIN :?#Ops/.test(line)));
      server.proxy.tell(':ada!a@host JOIN #Ops');
      await isBackIn('#Ops');
    }
    bob.say('#Ops', `said after ${how}`);
    await captured(agent, `said after ${how}`, '#Ops');
    expect((await historyOf(agent, '#Ops')).filter(({ text }) => text.includes('#moved'))).toEqual([]);
  });
}

test('a channel that another client of the person joins, and that is not enabled, is left', async () => {
  const before = bob.lines.length;
  server.proxy.toServer = (line) => (line.startsWith('PONG') ? `${line}\r\nJOIN #elsewhere` : line);
  server.proxy.tell('PING :now');
  await waitFor('ada was there and is gone', () =>
    bob.lines
      .slice(before)
      .some(({ command, sender, params }) => command === 'PART' && sender === 'ada' && params[0] === '#elsewhere'),
  );

  expect(await joinedChannels()).not.toContain('#elsewhere');
});

async function channelOf(name: string) {
  const { channels } = await informationOf(agent);
  return (channels as Record<string, unknown>[]).find(({ channel }) => channel === name);
}

function reasonFor(name: string) {
  return waitFor('the reason is known', async () => {
    const known = await channelOf(name);
    return known?.['joined'] === false && (known['notJoinedReason'] ?? false);
  });
}

async function joinedChannels(): Promise<string[]> {
  const answer = await fetch(`${stack.baseUrl}/v1/status`, {
    headers: { authorization: `Bearer ${agent.accessToken}` },
  });
  return ((await answer.json()) as { joined_channels: string[] }).joined_channels;
}
