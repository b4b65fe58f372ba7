import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { historyOf, textsOf } from '../../harness/history.ts';
import type { IrcClient } from '../../harness/irc-client.ts';
import { connected, informationOf } from '../../harness/person.ts';
import { startTwoNetworks, type TwoNetworks } from '../../harness/two-networks.ts';

let world: TwoNetworks;

beforeAll(async () => {
  world = await startTwoNetworks();
});

afterAll(() => world?.[Symbol.asyncDispose]());

/** Returns the commands of this nick that a client in the room saw from then on. */
const doneBy = (nick: string, { lines }: IrcClient, since: number): string[] =>
  lines.slice(since).flatMap(({ command, sender }) => (sender === nick ? [command] : []));

test('people on IRC see a nick change at once, and what is said under it is sent, heard and answered for', async () => {
  const { ada, bob, submit } = world;
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

test('a nick in use on the network is refused by the network, and the page says so', async () => {
  const { ada, submit } = world;

  const page = await submit('/settings/nick', { nick: 'bob' });

  expect(page).toContain('433');
  expect(await informationOf(ada)).toMatchObject({ nick: 'lovelace', problems: [expect.stringContaining('433')] });
  expect(await submit('/settings/nick', { nick: 'lovelace' })).not.toContain('433');
});

test('a person who chooses another network leaves the one and arrives on the other, where their agents go on', async () => {
  verifies('connector.information.settingsUrl');
  const { ada, bob, eve, submit, isHeard } = world;
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
  const entries = await historyOf(ada, '#room');
  const networkOf = (text: string) => entries.find((entry) => entry.text === text)?.network;
  expect([networkOf('said on the usual network'), networkOf('said on the other network')]).toEqual(['main', 'other']);
  expect(entries).toContainEqual(
    expect.objectContaining({ network: 'other', gap: expect.objectContaining({ reason: 'network_changed' }) }),
  );
});

test('each network keeps its own place in the bouncer, and one of them at most is connected', async () => {
  verifies('connector.account.network-connection');
  const { ada, soju, usersOfSoju } = world;
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

test('a deleted history does not come back with the next replay, and what is said later is kept', async () => {
  const { stack, ada, eve, submit, isHeard } = world;
  await isHeard(eve, 'said before the deletion');

  await submit('/settings/history/delete', {}, '/settings/history/delete');
  await waitFor('the history is gone', async () => (await historyOf(ada, '#room')).length === 0);
  await stack.restartConnector();
  await connected(ada);
  await isHeard(eve, 'said after the deletion');

  const browser = await stack.signIn('ada');
  const file = await browser.open(`${stack.baseUrl}/settings/history.jsonl`);
  const texts = file.body
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { text: string }).text);
  expect(texts.filter((text) => text.startsWith('said before'))).toEqual([]);
  expect(texts.filter((text) => text.startsWith('said after')).length).toBeGreaterThan(0);
});

test('a person whom an owner removes is gone from IRC, from the bouncer and from the database, and their agent is refused', async () => {
  const { stack, bob, newcomer, remove, usersOfSoju } = world;
  const { agent, accountId } = await newcomer('grace');
  await bob.seen('grace', ({ command, sender }) => command === 'JOIN' && sender === 'grace');
  const before = await usersOfSoju();

  await remove(accountId);

  await bob.seen('the end', ({ command, sender }) => command === 'QUIT' && sender === 'grace');
  await expect(agent.call('see_account_information')).rejects.toThrow();
  await waitFor('the bouncer has one user less', async () => (await usersOfSoju()).length === before.length - 1);
  const database = stack.database.connect();
  await waitFor('the account is gone', async () => {
    const left = await database('accounts').where({ account_id: accountId });
    return left.length === 0;
  });
  for (const table of ['accounts', 'entries', 'consents', 'agent_sessions', 'browser_sessions']) {
    expect(await database(table).where({ account_id: accountId }), table).toEqual([]);
  }
  await database.destroy();
  await agent[Symbol.asyncDispose]();
});
