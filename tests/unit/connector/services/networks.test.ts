import { expect } from 'vitest';
import { bouncerUnreachable } from '../../../../src/connector/errors.ts';
import { agent as ada, door, testWithNewAgent } from '../../../harness/fixtures/front-door.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const MAIN = { name: 'main', address: 'ircs://irc.example' };
const OTHER = { name: 'other', address: 'ircs://irc.other.example' };

const test = testWithNewAgent({ network: MAIN, otherNetworks: [OTHER] });

const history = async (): Promise<Told[]> =>
  (await ada.call('read_history', { channel: '#room', mode: 'recent' }))['entries'] as Told[];

/** Returns the room's history, oldest first, with the network of each entry. */
const told = async (): Promise<string[]> =>
  (await history()).map(({ kind, text, network, gap }) => `${network}: ${gap?.reason ?? (text || kind)}`).toReversed();

const server = async (): Promise<unknown> => (await ada.call('see_account_information'))['server'];

test('a person sees the approved networks, and is on the usual one until they choose another', async () => {
  expect(await door.services.networks(ada.accountId)).toEqual([
    { ...MAIN, isChosen: true },
    { ...OTHER, isChosen: false },
  ]);

  expect(await door.services.chooseNetwork(ada.accountId, 'other')).toBe(true);

  expect(await door.services.networks(ada.accountId)).toEqual([
    { ...MAIN, isChosen: false },
    { ...OTHER, isChosen: true },
  ]);
  expect(await server()).toEqual({ network: 'other', address: OTHER.address });
});

test('a network that is not approved can’t be chosen', async () => {
  await expect(door.services.chooseNetwork(ada.accountId, 'elsewhere')).rejects.toMatchObject({
    code: 'network_unknown',
  });
  expect(await server()).toMatchObject({ network: 'main' });
});

test('an account on a network that is not approved any more is on the usual one', async () => {
  await door.open.store.accounts.chooseNetwork(ada.accountId, 'gone');

  expect(await server()).toMatchObject({ network: 'main' });
  await ada.call('go_online');
  door.bouncer.hear('hello');
  await expect.poll(told).toEqual(['main: hello']);
});

test('a choice made offline counts from the next time online', async () => {
  await door.services.chooseNetwork(ada.accountId, 'other');
  expect(door.bouncer.attachCount).toBe(0);

  await ada.call('go_online');

  expect(door.bouncer.attachedUsers.map(({ network }) => network)).toEqual(['other']);
});

test('a choice made online ends the session with the one network and begins one with the other', async () => {
  await ada.call('go_online');
  door.bouncer.hear('on the first');
  await expect.poll(told).toEqual(['main: on the first']);

  expect(await door.services.chooseNetwork(ada.accountId, 'other')).toBe(true);

  expect(door.bouncer.attachedUsers.map(({ network }) => network)).toEqual([null, 'other']);
  const information = () => ada.call('see_account_information');
  expect((await information())['presence']).toBe('online');
  await expect.poll(async () => (await information())['lastDisconnectedAt']).not.toBeNull();
  await ada.call('send_message', { channel: '#room', text: 'said on the second' });
  await expect.poll(told).toEqual(['main: on the first', 'other: said on the second']);
});

test('choosing the network that the account is on leaves its session alone', async () => {
  await ada.call('go_online');

  expect(await door.services.chooseNetwork(ada.accountId, 'main')).toBe(true);

  expect(door.bouncer.attachCount).toBe(1);
});

test('a message that waits for one network is not said on the other', async () => {
  await ada.call('go_online');
  door.bouncer.upstream = false;
  const { messageId } = await ada.call('send_message', { channel: '#room', text: 'for people of the first' });

  await door.services.chooseNetwork(ada.accountId, 'other');
  door.bouncer.upstream = true;
  door.bouncer.connected();

  expect(await ada.call('get_message_status', { message_id: messageId })).toMatchObject({
    status: 'failed',
    reason: 'the account moved to another network',
  });
  await ada.call('send_message', { channel: '#room', text: 'for people of the second' });
  await expect.poll(() => door.bouncer.written.map(({ text }) => text)).toEqual(['for people of the second']);
});

test('where the bouncer is away, the account moves as soon as it is back', async () => {
  await ada.call('go_online');
  door.bouncer.provisionError = bouncerUnreachable(new Error('away'));

  expect(await door.services.chooseNetwork(ada.accountId, 'other')).toBe(false);

  door.bouncer.provisionError = undefined;
  await expect.poll(() => door.bouncer.attachedUsers.map(({ network }) => network)).toEqual([null, 'other']);
});

test('a channel of the same name on another network goes on below a mark, and each entry names its network', async () => {
  await ada.call('go_online');
  const at = door.open.clock.now();
  door.bouncer.hear('on the first', { serverAt: at });
  await expect.poll(told).toEqual(['main: on the first']);
  await door.services.chooseNetwork(ada.accountId, 'other');

  door.bouncer.join('#room', at + 1_000);
  door.bouncer.hear('on the second', { serverAt: at + 2_000 });

  await expect
    .poll(told)
    .toEqual(['main: on the first', 'other: network_changed', 'other: join', 'other: on the second']);
});

test('each network has lines of its own to catch up with', async () => {
  const { capture } = door.open.store;
  const began = door.open.clock.now();
  await ada.call('go_online');
  door.open.clock.set(began + 3_600_000);
  await door.services.chooseNetwork(ada.accountId, 'other');

  expect(await capture.syncedTo(ada.accountId, 'main', '#room')).toBe(began);
  expect(await capture.syncedTo(ada.accountId, 'other', '#room')).toBe(began + 3_600_000);

  const line = capturedLine('missed on the second', began + 3_600_001);
  door.bouncer.replay('#room', [line]);
  await expect.poll(told).toEqual(['other: missed on the second']);
  expect(await capture.syncedTo(ada.accountId, 'main', '#room')).toBe(began);
  expect(await capture.hasLines(ada.accountId, 'main', '#room', { from: began, to: began + 7_200_000 })).toBe(false);
  expect(await capture.hasLines(ada.accountId, 'other', '#room', { from: began, to: began + 7_200_000 })).toBe(true);
});

test('entries that an earlier version captured belong to the usual network', async () => {
  await door.open.store.capture.begin(ada.accountId, '', ['#room'], 1_000);

  await door.services.prepare();

  expect(await door.open.store.capture.syncedTo(ada.accountId, 'main', '#room')).toBe(1_000);
});

interface Told {
  kind: string;
  text: string;
  network: string;
  gap: { reason: string } | null;
}
