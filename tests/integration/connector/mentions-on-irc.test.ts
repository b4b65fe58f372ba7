import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected, informationOf } from '../../harness/person.ts';
import { keptBySoju } from '../../harness/soju-history.ts';
import { subscriberOf } from '../../harness/subscriber.ts';
import { type ReceivedEvent, startReceiver, type WebhookReceiver } from '../../harness/webhook-receiver.ts';

/** The server rounds its times. */
const NEAR_MS = 1_000;

const test = testWithStack({ config: { events: { allowCallbackHosts: ['127.0.0.1'] } } });

let agent: Agent;
let bob: IrcClient;
let receiver: WebhookReceiver;

test.beforeAll(async () => {
  [agent, bob, receiver] = await Promise.all([
    agentIn(stack, 'ada', ['#room']),
    joinIrc(stack.ergo, 'bob', ['#room']),
    startReceiver(),
  ]);
  await agent.call('go_online');
  await joined('ada');
  await subscriberOf(stack, agent).subscribed({ url: receiver.url });
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  await receiver?.[Symbol.asyncDispose]();
  await agent?.[Symbol.asyncDispose]();
});

const joined = (nick: string) => bob.seen(nick, ({ command, sender }) => command === 'JOIN' && sender === nick);
const heard = (text: string, by = receiver): Promise<ReceivedEvent> =>
  waitFor(`"${text}" is delivered`, () => by.events().find(({ data }) => data['text'] === text));
const textsOf = (by = receiver): unknown[] => by.events().map(({ data }) => data['text']);

test('messages from while the program was down come late, once it is back, with their own times', async () => {
  verifies('connector.event.replays', 'connector.event.persistence');
  await stack.kill('connector');
  const saidAt = Date.now();
  bob.say('#room', 'ada: while you were down');
  await waitFor('the bouncer has it', async () =>
    (await keptBySoju(stack.folder)).includes('ada: while you were down'),
  );
  const downUntil = Date.now();
  await stack.revive('connector');

  const { timestamp, data } = await heard('ada: while you were down');

  expect(Date.parse(timestamp)).toBeGreaterThan(saidAt - NEAR_MS);
  expect(Date.parse(timestamp)).toBeLessThan(downUntil + NEAR_MS);
  expect(Date.parse(String(data['observedAt']))).toBeGreaterThanOrEqual(downUntil);
  expect(textsOf()).toEqual(['ada: while you were down']);
});

test('a message of the account itself is no mention', async () => {
  verifies('connector.event.own-messages');
  await connected(agent);
  await agent.call('send_message', { channel: '#room', text: 'ada speaks for herself' });
  await bob.seen('it', ({ params }) => params[1] === 'ada speaks for herself');

  bob.say('#room', 'ada: I heard you');
  await heard('ada: I heard you');

  expect(textsOf()).not.toContain('ada speaks for herself');
});

test('while a person is offline, for all agents, no line is captured and no mention delivered; history stays', async () => {
  verifies('connector.state.online-to-offline');
  await using other = await connectAgent(stack, 'ada');
  await other.call('go_offline');
  await bob.seen('ada leaves', ({ command, sender }) => command === 'QUIT' && sender === 'ada');

  expect(await informationOf(agent)).toMatchObject({ presence: 'offline', upstreamConnected: false });
  bob.say('#room', 'ada: nobody is there');
  bob.send('PING', 'said');
  await bob.seen('that the server has it', ({ command, params }) => command === 'PONG' && params.includes('said'));
  await agent.call('go_online');
  await connected(agent);
  await waitFor('ada is in the room', async () => JSON.stringify(await informationOf(agent)).includes('"joined":true'));
  bob.say('#room', 'ada: welcome back');
  await heard('ada: welcome back');

  const { entries } = (await agent.call('read_history', { channel: '#room', mode: 'recent' })) as {
    entries: { text: string }[];
  };
  const texts = entries.map(({ text }) => text);
  expect(texts).toContain('ada: I heard you');
  expect(texts).not.toContain('ada: nobody is there');
  expect(textsOf()).not.toContain('ada: nobody is there');
});

test('while another user has the account’s nick, the one in use is the one that counts', async () => {
  verifies('connector.event.match');
  using holder = await joinIrc(stack.ergo, 'eve', ['#room']);
  await stack.invite('eve', ['#room']);
  await using eve = await agentIn(stack, 'eve', ['#room']);
  await using own = await startReceiver();
  await subscriberOf(stack, eve).subscribed({ url: own.url });
  await eve.call('go_online');
  const nick = await waitFor('it has another nick', async () => {
    const information = await informationOf(eve);
    return information['upstreamConnected'] === true && information['nick'] !== 'eve' && String(information['nick']);
  });
  await joined(nick);

  bob.say('#room', 'eve: you are somebody else');
  bob.say('#room', `${nick}: you are it`);
  holder.say('#room', `${nick}, eve says`);

  await heard(`${nick}: you are it`, own);
  await heard(`${nick}, eve says`, own);
  expect(textsOf(own)).not.toContain('eve: you are somebody else');
});
