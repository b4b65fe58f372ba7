import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { createAdminSocket, type RunCommand } from '../../../src/connector/bouncer/admin-socket.ts';
import type { Agent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { captured, historyOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, enableChannels } from '../../harness/person.ts';

/** A login that is as long as a nick may be, so that the bouncer has no way to lengthen it. */
const LONG_LOGIN = 'somebody-with-the-longest-nick1';

const test = testWithStack({ isUnpaced: true });

let agent: Agent;
let bob: IrcClient;
let soju: RunCommand;
/** The account's user in the bouncer. */
let user: string;

test.beforeAll(async () => {
  bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  agent = await onlineAgent('ada');
  soju = createAdminSocket(stack.soju.adminSocket);
  const [status = ''] = await soju(['user', 'status']);
  user = status.split(':')[0] ?? '';
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  await agent?.[Symbol.asyncDispose]();
});

test('a password changed by hand in the bouncer is set again', async () => {
  await soju(['user', 'update', user, '-password', 'changed by hand']);

  await comesBack('after the password');
});

test('a network deleted by hand in the bouncer is made again for an account that is meant to be online', async () => {
  await soju(['user', 'run', user, 'network', 'delete', 'main']);

  await comesBack('after the network');
  expect((await historyOf(agent, '#room')).map(({ text }) => text)).toContain('after the password');
});

test('a kick is recorded, and the account rejoins after a while with a gap for the time outside', async () => {
  // The first person in a channel is its operator.
  bob.send('KICK', '#room', 'ada', 'out');
  const kick = await waitFor('the kick is in history', async () =>
    (await historyOf(agent, '#room')).find(({ kind }) => kind === 'kick'),
  );

  expect(kick).toMatchObject({ target: 'ada', text: 'out' });
  await comesBack('after the kick');
  expect((await historyOf(agent, '#room')).filter(({ gap }) => gap?.reason === 'not_joined')).toHaveLength(1);
});

test('when the connector ends while the account is kicked from a channel, the account rejoins after the next start', async () => {
  bob.send('KICK', '#room', 'ada', 'out again');
  await waitFor('the kick is in history', async () =>
    (await historyOf(agent, '#room')).some(({ kind, text }) => kind === 'kick' && text === 'out again'),
  );

  await stack.kill('connector');
  await stack.revive('connector');

  await comesBack('after the kick and the restart');
});

test('a channel that sends people on to another one is not joined, and the other one is left again', async () => {
  bob.send('JOIN', '#elsewhere');
  bob.send('JOIN', '#Ops');
  bob.send('MODE', '#Ops', '+if', '#elsewhere');
  await bob.seen('the mode', ({ command, params }) => command === 'MODE' && params[1] === '+if');
  await enableChannels(stack, 'ada', ['#room', '#Ops']);

  await bob.seen('ada leave', ({ command, params }) => command === 'PART' && params[0] === '#elsewhere');

  expect((await agent.call('see_account_information'))['channels']).toMatchObject([
    { channel: '#Ops', joined: false },
    { channel: '#room', joined: true },
  ]);
  expect(await historyOf(agent, '#Ops')).toEqual([]);
});

test('a nick of 31 characters that somebody else has is replaced by another one of 31', async () => {
  await stack.invite(LONG_LOGIN, ['#room']);
  using squatter = await joinIrc(stack.ergo, LONG_LOGIN, []);

  await using long = await onlineAgent(LONG_LOGIN);
  const nick = await waitFor('it is connected under another nick', async () => {
    const information = await long.call('see_account_information');
    return information['upstreamConnected'] === true && (information['nick'] as string);
  });

  expect(squatter.nick).toBe(LONG_LOGIN);
  expect(nick).not.toBe(LONG_LOGIN);
  expect(nick).toHaveLength(LONG_LOGIN.length);
});

test('a channel that was disabled for a while has a gap for that time, as not joined', async () => {
  const browser = await stack.signIn('ada');
  const settings = async () => browser.open(`${stack.baseUrl}/settings`);
  bob.say('#room', 'before it was disabled');
  await waitFor('it is in history', async () =>
    (await historyOf(agent, '#room')).some(({ text }) => text === 'before it was disabled'),
  );
  const before = bob.lines.length;
  await browser.submit(await settings(), { channel: ['#third'] }, '/settings');
  await waitFor('ada has left', () =>
    bob.lines.slice(before).find(({ command, params }) => command === 'PART' && params[0] === '#room'),
  );
  bob.say('#room', 'while it was disabled');
  const parted = bob.lines.length;
  await browser.submit(await settings(), { channel: ['#room', '#third'] }, '/settings');
  await waitFor('ada is back', () =>
    bob.lines.slice(parted).find(({ command, sender }) => command === 'JOIN' && sender === 'ada'),
  );

  await comesBack('after it was enabled');

  const history = await historyOf(agent, '#room');
  const since = history.slice(history.findIndex(({ text }) => text === 'before it was disabled'));
  expect(since.map(({ kind, gap, text }) => gap?.reason ?? (text === '' ? kind : text))).toEqual([
    'before it was disabled',
    'part',
    'not_joined',
    'join',
    'after it was enabled',
  ]);
});

async function onlineAgent(login: string): Promise<Agent> {
  const online = await agentIn(stack, login, ['#room']);
  await online.call('go_online');
  return online;
}

async function comesBack(text: string) {
  await waitFor('the session stands', async () => {
    const { upstreamConnected, channels } = await agent.call('see_account_information');
    return upstreamConnected === true && (channels as { joined: boolean }[]).every(({ joined }) => joined);
  });
  bob.say('#room', text);
  await captured(agent, text);
}
