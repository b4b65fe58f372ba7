import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ergo, startErgo } from '../../../scripts/stack/ergo.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { createAdminSocket } from '../../../src/connector/bouncer/admin-socket.ts';
import type { Agent } from '../../harness/agent.ts';
import { historyOf, textsOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected, informationOf } from '../../harness/person.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

let folder: Awaited<ReturnType<typeof tempFolder>>;
let other: Ergo;
let stack: ConnectorStack;
let ada: Agent;
/** Somebody in the room of the usual network, and somebody in that of the other one. */
let bob: IrcClient;
let eve: IrcClient;

beforeAll(async () => {
  folder = await tempFolder();
  other = await startErgo({ folder: join(folder.path, 'other-ergo') });
  const otherNetworks = [{ name: 'other', address: `irc+insecure://${other.host}:${other.port}` }];
  stack = await startConnectorStack({ isUnpaced: true, bouncer: { otherNetworks } });
  [bob, eve] = await Promise.all([joinIrc(stack.ergo, 'bob', ['#room']), joinIrc(other, 'eve', ['#room'])]);
  ada = await agentIn(stack, 'ada', ['#room']);
  await ada.call('go_online');
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  eve?.[Symbol.dispose]();
  await ada?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
  await other?.process.stop();
  await folder?.[Symbol.asyncDispose]();
});

/** Sends a form of the settings as a person, and gives the text of the page that follows. */
async function submit(form: string, fields: Record<string, string> = {}, page = '/settings'): Promise<string> {
  const browser = await stack.signIn('ada');
  const { body } = await browser.submit(await browser.open(stack.baseUrl + page), fields, form);
  return body;
}

/** What somebody in the room saw of this nick from then on. */
const doneBy = (nick: string, { lines }: IrcClient, since: number): string[] =>
  lines.slice(since).flatMap(({ command, sender }) => (sender === nick ? [command] : []));

/** Says something in the room until it is captured: only who is in the room hears it. */
async function isHeard(speaker: IrcClient, text: string): Promise<void> {
  await waitFor(`"${text}" is heard`, async () => {
    speaker.say('#room', text);
    return (await textsOf(ada)).includes(text);
  });
}

const soju = (...words: string[]): Promise<string[]> => createAdminSocket(stack.soju.adminSocket)(words);

const usersOfSoju = async (): Promise<string[]> =>
  (await soju('user', 'status')).flatMap((line) => /^(homeport-\S+)/.exec(line)?.[1]?.replace(/:$/, '') ?? []);

test('people on IRC see a nick change at once, and what is said under it is sent, heard and answered for', async () => {
  const since = bob.lines.length;

  expect(await submit('/settings/nick', { nick: 'lovelace' })).toContain('lovelace');

  await bob.seen('the new nick', ({ command, params }) => command === 'NICK' && params[0] === 'lovelace');
  expect(doneBy('ada', bob, since)).toEqual(['NICK']);
  expect(await informationOf(ada)).toMatchObject({ nick: 'lovelace', problems: [] });
  await ada.call('send_message', { channel: '#room', text: 'under the new nick' });
  await bob.seen('the message', ({ params, sender }) => sender === 'lovelace' && params[1] === 'under the new nick');
  await waitFor('the echo', async () =>
    (await historyOf(ada, '#room')).some(
      ({ text, timestampSource }) => text === 'under the new nick' && timestampSource === 'server',
    ),
  );
  expect((await textsOf(ada)).filter((text) => text === 'under the new nick')).toHaveLength(1);
});

test('the nick outlasts restarts of the connector and of the bouncer', async () => {
  const since = bob.lines.length;
  await stack.restartConnector();
  await connected(ada);
  expect(doneBy('lovelace', bob, since)).toEqual([]);

  await stack.restartSoju();
  await connected(ada);

  await waitFor('the nick is back', async () => (await informationOf(ada))['nick'] === 'lovelace');
});

test('a nick that somebody on the network has is refused by the network, which the page tells', async () => {
  const page = await submit('/settings/nick', { nick: 'bob' });

  expect(page).toContain('433');
  expect(await informationOf(ada)).toMatchObject({ nick: 'lovelace', problems: [expect.stringContaining('433')] });
  expect(await submit('/settings/nick', { nick: 'lovelace' })).not.toContain('433');
});

test('a person who chooses another network leaves the one and arrives on the other, where their agents go on', async () => {
  await isHeard(bob, 'said on the usual network');
  const sinceEve = eve.lines.length;

  await submit('/settings/network', { network: 'other' });

  await bob.seen('the end', ({ command, sender }) => command === 'QUIT' && sender === 'lovelace');
  await eve.seen('the arrival', ({ command, sender }) => command === 'JOIN' && sender === 'lovelace');
  expect(doneBy('lovelace', eve, sinceEve)).toEqual(['JOIN']);
  await connected(ada);
  await isHeard(eve, 'said on the other network');
  await ada.call('send_message', { channel: '#room', text: 'to people of the other network' });
  await eve.seen('the message', ({ params }) => params[1] === 'to people of the other network');
  expect(bob.lines.some(({ params }) => params[1] === 'to people of the other network')).toBe(false);
  expect(await informationOf(ada)).toMatchObject({ server: { network: 'other' }, nick: 'lovelace' });
  const entries = (await historyOf(ada, '#room')) as unknown as { text: string; network: string; gap: object | null }[];
  const networkOf = (text: string) => entries.find((entry) => entry.text === text)?.network;
  expect([networkOf('said on the usual network'), networkOf('said on the other network')]).toEqual(['main', 'other']);
  expect(entries.filter(({ gap }) => gap !== null).map(({ network, gap }) => ({ network, gap }))).toContainEqual({
    network: 'other',
    gap: expect.objectContaining({ reason: 'network_changed' }),
  });
});

test('each network keeps its own place in the bouncer, and one of them at most is connected', async () => {
  const [user = ''] = await usersOfSoju();
  const states = async () =>
    (await soju('user', 'run', user, 'network', 'status'))
      .map((line) => line.replace(/ \(.*\) \[(\w+).*$/, ' $1'))
      .toSorted();
  expect(await states()).toEqual(['main disabled', 'other connected']);

  await ada.call('go_offline');
  expect(await states()).toEqual(['main disabled', 'other disabled']);
  await ada.call('go_online');
  await connected(ada);

  expect(await states()).toEqual(['main disabled', 'other connected']);
});

test('a choice while the bouncer is away is followed when it is back', async () => {
  await stack.kill('soju');

  await submit('/settings/network', { network: 'main' });
  await stack.revive('soju');

  await waitFor('the account is on the usual network', async () => {
    const { server, upstreamConnected } = await informationOf(ada);
    return upstreamConnected === true && (server as { network: string }).network === 'main';
  });
  await isHeard(bob, 'back on the usual network');
});

test('a deleted history does not come back with the next replay, and what is said later is kept', async () => {
  await isHeard(bob, 'said before the deletion');

  await submit('/settings/history/delete', {}, '/settings/history/delete');
  expect(await historyOf(ada, '#room')).toEqual([]);
  await stack.restartConnector();
  await connected(ada);
  await isHeard(bob, 'said after the deletion');

  const browser = await stack.signIn('ada');
  const file = await browser.open(`${stack.baseUrl}/settings/history.jsonl`);
  const texts = file.body
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { text: string }).text);
  expect(texts.filter((text) => text.startsWith('said before'))).toEqual([]);
  expect(texts.filter((text) => text.startsWith('said after')).length).toBeGreaterThan(0);
});

/** Invites somebody whose agent goes online in the room, and gives their agent. */
async function newcomer(login: string): Promise<{ agent: Agent; accountId: string }> {
  await stack.invite(login, ['#room']);
  const agent = await agentIn(stack, login, ['#room']);
  await agent.call('go_online');
  const database = stack.database.connect();
  const [row]: { account_id: string }[] = await database('accounts').where({ login }).select('account_id');
  await database.destroy();
  return { agent, accountId: row?.account_id ?? '' };
}

const remove = (accountId: string): Promise<string> =>
  submit(`/settings/people/${accountId}/remove`, {}, `/settings/people/${accountId}/remove`);

test('a person whom an owner removes is gone from IRC, from the bouncer and from the database, and their agent is refused', async () => {
  const { agent, accountId } = await newcomer('grace');
  await bob.seen('grace', ({ command, sender }) => command === 'JOIN' && sender === 'grace');
  const before = await usersOfSoju();

  await remove(accountId);

  await bob.seen('the end', ({ command, sender }) => command === 'QUIT' && sender === 'grace');
  await expect(agent.call('see_account_information')).rejects.toThrow();
  expect(await usersOfSoju()).toHaveLength(before.length - 1);
  const database = stack.database.connect();
  for (const table of ['accounts', 'entries', 'consents', 'agent_sessions', 'browser_sessions']) {
    expect(await database(table).where({ account_id: accountId }), table).toEqual([]);
  }
  await database.destroy();
  await agent[Symbol.asyncDispose]();
});

test('a removal that the end of the program interrupted is finished by the next one', async () => {
  const { agent, accountId } = await newcomer('linus');
  const before = await usersOfSoju();
  await stack.kill('soju');

  await remove(accountId);
  await expect(agent.call('see_account_information')).rejects.toThrow();
  await stack.kill('connector');
  await stack.revive('soju');
  await stack.revive('connector');

  await waitFor('the bouncer has one user less', async () => (await usersOfSoju()).length === before.length - 1);
  await agent[Symbol.asyncDispose]();
});
