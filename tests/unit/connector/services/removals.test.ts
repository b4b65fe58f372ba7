import { afterEach, beforeEach, expect, test } from 'vitest';
import { bouncerUnreachable } from '../../../../src/connector/errors.ts';
import { type DoorAgent, type FrontDoor, openFrontDoor } from '../../../harness/front-door.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const ISSUER = 'https://id.example';
const BOB = { issuer: ISSUER, subject: '7', login: 'bob' };
/** More than is removed in one step. */
const MANY = 1_050;

let door: FrontDoor;
let bob: DoorAgent;
/** The cookie of a browser in which bob is signed in. */
let cookie: string;

beforeEach(async () => {
  door = await openFrontDoor({ ownerLogins: ['ada'], maxUsers: 2 });
  await door.services.signIn({ issuer: ISSUER, subject: '1', login: 'ada' });
  await door.services.invite({ login: 'bob', channels: ['#room'] });
  await door.services.signIn(BOB);
  bob = await door.agent('bob');
  cookie = await door.open.store.browserSessions.create(bob.accountId);
  await door.services.enableChannels(bob.accountId, ['#room']);
  await bob.call('go_online');
  await bob.call('send_message', { channel: '#room', text: 'said' });
  const at = door.open.clock.now();
  const lines = Array.from({ length: MANY }, (_, index) => ({
    line: capturedLine(`line ${index}`, at + index),
    own: undefined,
  }));
  await door.open.store.capture.ingest(bob.accountId, 'main', { lines, isReplay: false, synced: new Set() });
  while ((await door.open.store.textIndex.extend(bob.accountId, '#room')) > 0);
  await bob.call('see_account_information');
});

afterEach(() => door[Symbol.asyncDispose]());

/** Tables that have rows of the account. */
async function traces(accountId: string): Promise<string[]> {
  const found: string[] = [];
  const { database } = door.open;
  for (const table of [
    ...[
      'accounts',
      'grants',
      'entries',
      'channel_syncs',
      'messages',
      'message_parts',
      'agent_sessions',
      'agent_cursors',
    ],
    ...['channel_counts', 'send_counts', 'presences', 'text_blocks', 'text_marks', 'browser_sessions', 'consents'],
    ...['subscriptions', 'deliveries'],
  ]) {
    if ((await database(table).where('account_id', accountId).first()) !== undefined) found.push(table);
  }
  // Its rows name no account; only bob has any.
  if ((await database('text_grams').first('rowid')) !== undefined) found.push('text_grams');
  return found;
}

const peopleNow = async (): Promise<(string | null)[]> =>
  (await door.open.store.accounts.list()).map(({ login }) => login);

test('a person who is removed leaves nothing behind, here or in the bouncer', async () => {
  const { name } = await door.open.store.accounts.bouncerUser(bob.accountId);
  expect(await traces(bob.accountId)).toEqual(
    expect.arrayContaining(['accounts', 'entries', 'consents', 'text_grams']),
  );

  await door.services.removeAccount(bob.accountId);

  expect(await traces(bob.accountId)).toEqual([]);
  expect(door.bouncer.removedUsers).toEqual([name]);
  expect(await peopleNow()).toEqual(['ada']);
  expect(await door.open.store.browserSessions.use(cookie)).toBeUndefined();
});

test('whoever was removed can’t sign in until they are invited again, and then begins anew', async () => {
  await door.services.removeAccount(bob.accountId);

  await expect(door.services.signIn(BOB)).rejects.toMatchObject({ code: 'not_invited' });
  await door.services.invite({ login: 'bob', channels: ['#ops'] });
  const again = await door.services.signIn(BOB);

  expect(again.accountId).not.toBe(bob.accountId);
  expect(again).toMatchObject({ login: 'bob', nick: 'bob', isOnline: false });
  expect(again.grants).toEqual([{ channel: '#ops', enabled: false }]);
});

test('an owner can’t be removed, neither by themselves nor by another', async () => {
  const [ada] = await door.open.store.accounts.list();

  await expect(door.services.removeAccount(ada?.accountId ?? '')).rejects.toMatchObject({
    code: 'owner_not_removable',
  });

  expect(await peopleNow()).toEqual(['ada', 'bob']);
});

test('removing somebody who is not there does nothing', async () => {
  await door.services.removeAccount('acc_nobody');

  expect(await peopleNow()).toEqual(['ada', 'bob']);
});

test('while the bouncer is away access ends all the same, and the rest goes when it is back', async () => {
  door.bouncer.removeError = bouncerUnreachable(new Error('away'));

  await door.services.removeAccount(bob.accountId);

  expect(await peopleNow()).toEqual(['ada']);
  expect(await door.open.store.browserSessions.use(cookie)).toBeUndefined();
  expect(await door.open.consents.ofAccount(bob.accountId)).toEqual([]);
  expect(await door.presences.status(bob.accountId)).toBeUndefined();
  expect(await traces(bob.accountId)).not.toContain('entries');
  await expect(door.services.finishRemovals(new AbortController().signal)).rejects.toThrow();

  door.bouncer.removeError = undefined;
  await door.services.finishRemovals(new AbortController().signal);

  expect(await traces(bob.accountId)).toEqual([]);
  expect(door.bouncer.removedUsers).toHaveLength(1);
});

test('login, nick and place of a person are free while the rest of them still waits for the bouncer', async () => {
  door.bouncer.removeError = bouncerUnreachable(new Error('away'));
  await door.services.removeAccount(bob.accountId);

  const { accountId, nick } = await door.services.invite({ login: 'bob' });

  expect(nick).toBe('bob');
  expect(accountId).not.toBe(bob.accountId);
  await expect(door.services.invite({ login: 'cleo' })).rejects.toMatchObject({ code: 'user_limit_reached' });
  door.bouncer.removeError = undefined;
  await door.services.finishRemovals(new AbortController().signal);
  expect(await peopleNow()).toEqual(['ada', 'bob']);
});

test('an account that is being removed does not come back by what was asked of it before', async () => {
  door.bouncer.removeError = bouncerUnreachable(new Error('away'));
  await door.services.removeAccount(bob.accountId);
  const { attachCount } = door.bouncer;

  await expect(door.presences.goOnline(bob.accountId)).rejects.toThrow();
  await door.presences.resumeAll();
  door.bouncer.hear('said after that');

  expect(door.bouncer.attachCount).toBe(attachCount);
  expect(await door.presences.status(bob.accountId)).toBeUndefined();
});

test('the history of a person can be taken along before they are removed', async () => {
  let lines = '';
  for await (const piece of door.services.exportHistory(bob.accountId)) lines += piece;

  await door.services.removeAccount(bob.accountId);

  expect(lines.split('\n').filter(Boolean)).toHaveLength(MANY + 1);
});
