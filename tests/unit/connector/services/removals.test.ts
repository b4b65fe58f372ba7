import { expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { bouncerUnreachable } from '../../../../src/connector/errors.ts';
import { removeOwed } from '../../../../src/connector/upkeep/deletions.ts';
import { door, testWithNewDoor } from '../../../harness/fixtures/front-door.ts';
import type { DoorAgent } from '../../../harness/front-door.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const ISSUER = 'https://id.example';
const BOB = { issuer: ISSUER, subject: '7', login: 'bob' };
/** Number of entries, more than one step removes. */
const MANY = 550;

const test = testWithNewDoor({ ownerLogins: ['ada'], maxUsers: 2 });

let bob: DoorAgent;
/** The cookie of a browser in which bob is signed in. */
let cookie: string;

test.beforeEach(async () => {
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

const peopleNow = async (): Promise<(string | null)[]> =>
  (await door.open.store.accounts.list()).map(({ login }) => login);

const unaborted = new AbortController().signal;

/** Does the program's work in the background. */
const removeHistories = (): Promise<void> => removeOwed(door.open.store.retention, unaborted);
const finish = (): Promise<void> => door.services.finishRemovals(unaborted);

test('a removed person leaves no trace, here or in the bouncer', async () => {
  const { name } = await door.open.store.accounts.bouncerUser(bob.accountId);
  expect(await traces(bob.accountId)).toEqual(
    expect.arrayContaining(['accounts', 'entries', 'consents', 'text_grams']),
  );

  await door.services.removeAccount(bob.accountId);
  await removeHistories();
  await finish();

  expect(await traces(bob.accountId)).toEqual([]);
  expect(door.bouncer.removedUsers).toEqual([name]);
  expect(await peopleNow()).toEqual(['ada']);
  expect(await door.open.store.browserSessions.use(cookie)).toBeUndefined();
});

test('a removed person can’t sign in until they are invited again, and then begins anew', async () => {
  await door.services.removeAccount(bob.accountId);

  await expect(door.services.signIn(BOB)).rejects.toMatchObject({ code: 'not_invited' });
  await door.services.invite({ login: 'bob', channels: ['#ops'] });
  const again = await door.services.signIn(BOB);

  expect(again.accountId).not.toBe(bob.accountId);
  expect(again).toMatchObject({ login: 'bob', nick: 'bob', isOnline: false });
  expect(again.grants).toEqual([{ channel: '#ops', enabled: false }]);
});

test('an owner can’t be removed by themselves or by another', async () => {
  const [ada] = await door.open.store.accounts.list();

  await expect(door.services.removeAccount(ada?.accountId ?? '')).rejects.toMatchObject({
    code: 'owner_not_removable',
  });

  expect(await peopleNow()).toEqual(['ada', 'bob']);
});

test('the removal of an unknown person has no effect', async () => {
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
  await removeHistories();
  expect(await traces(bob.accountId)).not.toContain('entries');
  await expect(finish()).rejects.toThrow('does not answer');

  door.bouncer.removeError = undefined;
  await finish();

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
  await removeHistories();
  await finish();
  expect(await peopleNow()).toEqual(['ada', 'bob']);
});

test('an account that is being removed does not come back by what was asked of it before', async () => {
  door.bouncer.removeError = bouncerUnreachable(new Error('away'));
  await door.services.removeAccount(bob.accountId);
  const { attachCount } = door.bouncer;

  await expect(door.presences.goOnline(bob.accountId)).rejects.toThrow();
  await door.presences.gain('all', { isShared: false });
  door.bouncer.hear('said after that');

  expect(door.bouncer.attachCount).toBe(attachCount);
  expect(await door.presences.status(bob.accountId)).toBeUndefined();
});

test('the history of a person can be taken along before they are removed', async () => {
  const [ada] = await door.open.store.accounts.list();
  const lines = await exported(ada?.accountId ?? '');

  await door.services.removeAccount(bob.accountId);

  expect(lines.split('\n').filter(Boolean)).toHaveLength(MANY + 1);
});

test('an owner who downloads the history of a person can’t remove them before it is complete', async () => {
  const reading = await beginDownload('the owner');

  await expect(door.services.removeAccount(bob.accountId)).rejects.toMatchObject({
    code: 'history_busy',
    retryAfterSeconds: expect.any(Number),
  });
  expect(await peopleNow()).toEqual(['ada', 'bob']);
  while ((await reading.next()).done !== true);

  await door.services.removeAccount(bob.accountId);
  expect(await peopleNow()).toEqual(['ada']);
});

test('a person can’t hold up their removal by a download: it breaks off', async () => {
  const reading = await beginDownload(bob.accountId);

  await door.services.removeAccount(bob.accountId);

  await expect(reading.next()).rejects.toMatchObject({ code: 'history_busy' });
  await expect(exported('the owner')).rejects.toMatchObject({ code: 'account_unknown' });
});

test('a removal does not wait for a bouncer that hangs, or for the history', async () => {
  door.bouncer.removeUser = () => new Promise(() => undefined);

  await door.services.removeAccount(bob.accountId);

  expect(await peopleNow()).toEqual(['ada']);
  expect(await door.open.store.browserSessions.use(cookie)).toBeUndefined();
  expect(await door.presences.status(bob.accountId)).toBeUndefined();
  expect(await traces(bob.accountId)).toContain('entries');
});

test('an account stays until its history is gone, which is removed in small steps', async () => {
  await door.services.removeAccount(bob.accountId);

  await finish();
  expect(await traces(bob.accountId)).toEqual(expect.arrayContaining(['accounts', 'entries']));
  expect(door.bouncer.removedUsers).toHaveLength(1);
  await removeHistories();
  await finish();

  expect(await traces(bob.accountId)).toEqual([]);
});

test('a user that the bouncer was about to make when its person was removed does not stay', async () => {
  await bob.call('go_offline');
  const made = Promise.withResolvers<void>();
  let isMaking = false;
  door.bouncer.provision = () => {
    isMaking = true;
    return made.promise;
  };
  const online = door.presences.goOnline(bob.accountId).catch(() => 'refused');
  await waitFor('the bouncer makes the user', () => isMaking);
  await door.open.store.removals.close(bob.accountId);
  await removeHistories();

  await expect(finish()).rejects.toMatchObject({ code: 'bouncer_unreachable' });
  expect(await traces(bob.accountId)).toContain('accounts');
  expect(door.bouncer.removedUsers).toHaveLength(1);
  made.resolve();
  expect(await online).toBe('refused');
  await finish();

  expect(await traces(bob.accountId)).toEqual([]);
  expect(door.bouncer.removedUsers).toHaveLength(2);
});

test('a removed person’s account gets no nick, and a grant of channels to it is refused', async () => {
  const dora = await door.agent('dora');
  await door.services.removeAccount(bob.accountId);
  const { accounts } = door.open.store;

  const gone = { code: 'account_unknown' };
  await expect(door.services.changeNick(bob.accountId, 'carol')).rejects.toMatchObject(gone);
  await expect(accounts.replaceGrants(bob.accountId, ['#ops'])).rejects.toMatchObject(gone);
  await expect(accounts.selectChannels(bob.accountId, ['#room'])).rejects.toMatchObject(gone);

  expect(await door.services.changeNick(dora.accountId, 'carol')).toMatchObject({ inUse: 'carol' });
  const grants = await door.open.database('grants').where('account_id', bob.accountId).pluck('channel');
  expect(grants).toEqual(['#room']);
});

test('a person who is removed while the accounts are made to fit the configuration does not keep those of others from it', async () => {
  const { accounts } = door.open.store;
  await accounts.replaceGrants(bob.accountId, ['#gone']);
  const dora = await door.open.account('dora', ['#gone', '#room']);
  const list = accounts.list.bind(accounts);
  accounts.list = async () => {
    const found = await list();
    await door.open.store.removals.close(bob.accountId);
    return found;
  };

  await door.services.prepare();

  expect((await accounts.find(dora))?.grants).toEqual([{ channel: '#room', enabled: true }]);
});

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
  // The rows of `text_grams` name no account; only bob has rows there.
  if ((await database('text_grams').first('rowid')) !== undefined) found.push('text_grams');
  return found;
}

async function exported(readerId: string): Promise<string> {
  let lines = '';
  for await (const piece of door.services.exportHistory({ accountId: bob.accountId, readerId })) lines += piece;
  return lines;
}

/** A download of bob's history that has begun. */
async function beginDownload(readerId: string): Promise<AsyncIterator<string>> {
  const reading = door.services.exportHistory({ accountId: bob.accountId, readerId })[Symbol.asyncIterator]();
  await reading.next();
  return reading;
}
