import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { authorization } from '../../harness/oauth-client.ts';
import { agentIn } from '../../harness/person.ts';
import { LEGACY_CLIENT } from '../../harness/start-connector.ts';

/** These tests prove, with the real program, the rows of the specification's page that no other test proves. */
const test = testWithStack({ isUnpaced: true });

let agent: Agent;
let sister: Agent;
let bob: IrcClient;

test.beforeAll(async () => {
  agent = await agentIn(stack, 'ada', ['#room', '#Ops']);
  sister = await connectAgent(stack, 'ada');
  bob = await joinIrc(stack.ergo, 'bob', ['#room']);
});

afterAll(async () => {
  for (const part of [agent, sister]) await part?.[Symbol.asyncDispose]();
  bob?.[Symbol.dispose]();
});

test('all agents of a person share one connection to the network, with its nick, channels and state', async () => {
  verifies('connector.service.4', 'connector.account.network-connection', 'connector.service.1');
  const before = await countPeople();
  await Promise.all([agent.call('go_online'), sister.call('go_online')]);
  await sister.call('go_online');

  for (const [n, who] of [agent, sister].entries()) {
    await who.call('send_message', { channel: '#room', text: `of agent ${n}` });
    await bob.seen(`what agent ${n} says`, ({ sender, params }) => sender === 'ada' && params[1] === `of agent ${n}`);
  }

  expect(await countPeople()).toBe(before + 1);
  const shared = async (who: Agent) => {
    const { nick, presence, onlineSince, channels } = await who.call('see_account_information');
    return { nick, presence, onlineSince, channels: (channels as { channel: string }[]).map(({ channel }) => channel) };
  };
  expect(await shared(agent)).toMatchObject({ nick: 'ada', presence: 'online', channels: ['#Ops', '#room'] });
  expect(await shared(sister)).toEqual(await shared(agent));
});

test('the legacy client is sent back to a listed address, and to no other', async () => {
  verifies('connector.authentication.4');
  const { id, redirectUri } = LEGACY_CLIENT;
  const ask = async (redirect_uri: string) => {
    const { url } = authorization(stack, id, {
      redirect_uri,
      code_challenge: undefined,
      code_challenge_method: undefined,
    });
    const answer = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
    return [answer.status, answer.headers.get('location') === null];
  };

  expect(await ask(redirectUri)).toEqual([303, false]);
  for (const other of [
    `${redirectUri}/`,
    `${redirectUri}?x=1`,
    'https://actions.example/',
    'https://evil.example/callback',
  ]) {
    expect([other, await ask(other)]).toEqual([other, [400, true]]);
  }
});

test('anybody may ask whether the service is up', async () => {
  verifies('connector.endpoint.GET-healthz');
  const answer = await fetch(`${stack.baseUrl}/healthz`);

  expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
});

/** Counts the people on the IRC server. */
async function countPeople(): Promise<number> {
  const from = bob.lines.length;
  bob.send('LUSERS');
  const { params } = await waitFor('the server counts', () =>
    bob.lines.slice(from).find(({ command }) => command === '251'),
  );
  const [, visible, invisible] = /(\d+) users and (\d+) invisible/.exec(params.at(-1) ?? '') ?? [];
  return Number(visible) + Number(invisible);
}
