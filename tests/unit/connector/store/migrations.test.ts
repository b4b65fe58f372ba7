import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { foldText } from '../../../../src/connector/domain/fold.ts';
import { secretHash } from '../../../../src/connector/domain/ids.ts';
import { DAY_MS } from '../../../../src/connector/domain/limits.ts';
import { createSeal } from '../../../../src/connector/store/aes-seal.ts';
import { createStore } from '../../../../src/connector/store/index.ts';
import { migrationSource } from '../../../../src/connector/store/migrations/index.ts';
import { textGramsOf } from '../../../../src/connector/store/text-grams.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { testDatabase } from '../../../harness/test-database.ts';

/** Number of entries, more than one step of the migration folds. */
const ENTRIES = 1_200;
const ROWS_AT_ONCE = 50;

const ACCOUNT = {
  account_id: 'acc',
  login: 'ada',
  nick: 'ada',
  nick_key: 'ada',
  bouncer_user: 'ada',
  bouncer_password_sealed: '',
  created_at: 0,
};

test('texts stored before search existed are folded by its migration', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  for (let step = 0; step < 3; step += 1) await database.migrate.up({ migrationSource });
  await database('accounts').insert(ACCOUNT);
  const texts = Array.from({ length: ENTRIES }, (_, index) => `\u0002GRÖSSE\u0002 ${index}`);
  await database.batchInsert(
    'entries',
    texts.map((text, index) => ({
      entry_id: `ent_${index}`,
      account_id: 'acc',
      fingerprint: `${index}`,
      network: 'main',
      channel: '#room',
      kind: 'message',
      sender: 'bob',
      text,
      event_at: 0,
      observed_at: 0,
      timestamp_source: 'server',
    })),
    ROWS_AT_ONCE,
  );

  await database.migrate.latest({ migrationSource });

  const folded: string[] = await database('entries').orderBy('row').pluck('text_folded');
  expect(folded).toEqual(texts.map(foldText));
  await database.destroy();
});

test('an index that does not know channels is made anew', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  for (let step = 0; step < 6; step += 1) await database.migrate.up({ migrationSource });
  await database('accounts').insert(ACCOUNT);
  const place = { account_id: 'acc', channel: '#room' };
  const [made] = await database('text_blocks')
    .insert({ ...place, first_row: 1, last_row: 16, oldest_at: 0, newest_at: 0 })
    .returning('block');
  await textGramsOf(database).put(database, [[Number(made.block), [1, 2, 3]]]);
  await database('text_marks').insert({ ...place, indexed_row: 16 });

  await database.migrate.latest({ migrationSource });

  for (const table of ['text_blocks', 'text_grams', 'text_marks']) {
    expect(await database(table).count({ rows: '*' }), table).toEqual([{ rows: own.kind === 'sqlite' ? 0 : '0' }]);
  }
  const wanted = { oneOf: [1], allOf: [], upTo: undefined };
  expect(await textGramsOf(database).blocks(database, wanted)).toEqual([]);
  await database.destroy();
});

/** Entries that the version before left in one channel, by row, with each send's client, session and status. */
const LEFT = [
  { row: 3, text: 'said' },
  { row: 4, text: 'named', client: 'one', session: 'ses_one', status: 'echoed' },
  { row: 5, text: 'failed', client: 'one', session: 'ses_one', status: 'failed' },
  { row: 6, text: 'said' },
  { row: 7, text: 'unnamed', client: 'one', session: null, status: 'echoed' },
  { row: 8, text: 'pending', client: 'other', session: 'ses_other', status: 'pending' },
  { row: 9, text: 'failed', client: 'one', session: null, status: 'failed' },
] as const;

/** Sessions, how far each has acknowledged, and what is then unread. Retention has removed rows up to 2. */
const LEFT_SESSIONS = [
  { session: 'ses_one', client: 'one', acknowledged: 1, unread: 3, hasGap: true },
  { session: 'ses_sister', client: 'one', acknowledged: 3, unread: 3, hasGap: false },
  { session: 'ses_other', client: 'other', acknowledged: 5, unread: 2, hasGap: false },
  { session: 'ses_done', client: 'one', acknowledged: 9, unread: 0, hasGap: false },
  { session: 'ses_fresh', client: 'one', acknowledged: undefined, unread: 4, hasGap: false },
] as const;

test('entries unread before there were running counts are unread after it, and the counts go on from there', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  await migrateUpTo(database, '0008-running-counts');
  await database('accounts').insert(ACCOUNT);
  await database('pruned_channels').insert([
    { account_id: 'acc', channel: '#room', pruned_row: 2 },
    { account_id: 'acc', channel: '#empty', pruned_row: 2 },
  ]);
  for (const { row, text, ...send } of LEFT) {
    const isEchoed = !('status' in send) || send.status === 'echoed';
    const [entryId, messageId] = [`ent_${row}`, 'client' in send ? `msg_${row}` : null];
    await database('entries').insert({
      ...{ row, entry_id: entryId, account_id: 'acc', fingerprint: `${row}`, network: 'main', channel: '#room' },
      ...{ kind: 'message', sender: 'bob', text, event_at: row, observed_at: row, message_id: messageId },
      timestamp_source: isEchoed ? 'server' : 'local',
    });
    if (!('client' in send)) continue;
    await database('messages').insert({
      ...{ message_id: messageId, account_id: 'acc', client_id: send.client, session_id: send.session },
      ...{ channel: '#room', entry_id: entryId, status: send.status, created_at: row },
    });
  }
  for (const { session, client, acknowledged } of LEFT_SESSIONS) {
    const key = { session_id: session };
    await database('agent_sessions').insert({ ...key, account_id: 'acc', client_id: client, last_used_at: 0 });
    if (acknowledged === undefined) continue;
    await database('agent_cursors').insert({
      ...{ ...key, channel: '#room', acknowledged_row: acknowledged, delivered_row: acknowledged },
      acknowledged_entry_id: `ent_${acknowledged}`,
    });
  }

  await database.migrate.latest({ migrationSource });

  const store = createStore({ database, readers: database }, createSeal(randomBytes(32)), systemClock);
  const bounds = { limit: 50, cut: <T>(entries: readonly T[]) => entries };
  for (const { session, client, acknowledged, unread, hasGap } of LEFT_SESSIONS) {
    const reader = { accountId: 'acc', clientId: client, sessionId: session };
    const positions = await store.agentCursors.positions(reader, ['#room', '#empty']);
    const batch = await store.agentCursors.nextBatch(reader, '#room', bounds);

    expect(positions.get('#room'), session).toEqual({
      unreadCount: unread,
      lastAcknowledgedEntryId: acknowledged === undefined ? null : `ent_${acknowledged}`,
    });
    expect(positions.get('#empty')).toEqual({ unreadCount: 0, lastAcknowledgedEntryId: null });
    expect([batch.entries.length, batch.hasGap], session).toEqual([unread, hasGap]);
  }
  expect((await store.entries.newestReceived('acc', ['#room', '#empty']))?.text).toBe('unnamed');

  await store.retention.pruneOlder('acc', 9, 100);
  const unread = await Promise.all(
    LEFT_SESSIONS.map(async ({ session, client }) => {
      const reader = { accountId: 'acc', clientId: client, sessionId: session };
      return (await store.agentCursors.positions(reader, ['#room'])).get('#room')?.unreadCount;
    }),
  );
  expect(unread).toEqual(LEFT_SESSIONS.map(() => 0));
  await database.destroy();
});

test('clients that were kept for good have another day, unless they have a consent', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  await migrateUpTo(database, '0013-unused-clients');
  await database('accounts').insert(ACCOUNT);
  const consent = { account_id: 'acc', client_name: 'Paper boat', scopes: 'irc:read', created_at: 0, last_used_at: 0 };
  await database('consents').insert({ ...consent, consent_id: 'con', grant_hash: 'grant', client_id: 'used' });
  const records = ['used', 'unused', 'fresh'].map((clientId) => ({
    ...{ kind: 'Client', id_hash: secretHash(clientId), payload_sealed: '' },
    expires_at: clientId === 'fresh' ? 7 : null,
  }));
  await database('oauth_records').insert([...records, { kind: 'Grant', id_hash: 'grant', payload_sealed: '' }]);
  const before = systemClock.now();

  await database.migrate.latest({ migrationSource });

  const ends: { id_hash: string; expires_at: number | string | null }[] = await database('oauth_records');
  const endOf = (hash: string) => ends.find(({ id_hash: own }) => own === hash)?.expires_at;
  expect([endOf(secretHash('used')), endOf('grant')]).toEqual([null, null]);
  expect(Number(endOf(secretHash('fresh')))).toBe(7);
  // SQLite's clock has whole seconds.
  expect(Number(endOf(secretHash('unused')))).toBeGreaterThan(before - 1_000 + DAY_MS);
  expect(Number(endOf(secretHash('unused')))).toBeLessThanOrEqual(systemClock.now() + DAY_MS);
  await database.destroy();
});

test('accounts may be without a login, and keep theirs and all that belongs to them', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  // The program opens a database like this.
  if (own.kind === 'sqlite') await database.raw('PRAGMA foreign_keys = ON');
  await migrateUpTo(database, '0014-lost-logins');
  const account = { ...ACCOUNT, issuer: 'https://idp.example', subject: '7' };
  await database('accounts').insert(account);
  await database('grants').insert({ account_id: 'acc', channel: '#room' });
  await database('browser_sessions').insert({
    ...{ secret_hash: 'secret', account_id: 'acc', csrf_token: 'token', created_at: 0, last_used_at: 0 },
  });

  await database.migrate.latest({ migrationSource });

  expect(await database('accounts')).toMatchObject([{ account_id: 'acc', login: 'ada', nick: 'ada', subject: '7' }]);
  expect(await database('grants').pluck('channel')).toEqual(['#room']);
  expect(await database('browser_sessions').pluck('secret_hash')).toEqual(['secret']);
  const other = (id: string, login: string | null) =>
    database('accounts').insert({ ...ACCOUNT, account_id: id, login, nick: id, nick_key: id, bouncer_user: id });
  await expect(other('two', 'ada')).rejects.toThrow();
  await other('two', null);
  await other('three', null);
  await database.destroy();
});

test('accounts that were made before logins had keys are found by their login, as it is written', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  await migrateUpTo(database, '0017-login-keys');
  const nameless = { account_id: 'acc_2', login: null, nick: 'b', nick_key: 'b', bouncer_user: 'b' };
  await database('accounts').insert([
    { ...ACCOUNT, login: 'Ada' },
    { ...ACCOUNT, ...nameless },
    { ...ACCOUNT, ...nameless, account_id: 'acc_3', nick_key: 'c', bouncer_user: 'c' },
  ]);

  await database.migrate.latest({ migrationSource });

  const { accounts } = createStore({ database, readers: database }, createSeal(randomBytes(32)), systemClock);
  expect(await accounts.findByLogin('Ada')).toMatchObject({ accountId: 'acc', login: 'Ada' });
  expect(await accounts.findByLogin('ada')).toBeUndefined();
  expect(await accounts.list()).toHaveLength(3);
  await database.destroy();
});

test('entries captured before people could choose a network belong to the network that there was', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  await migrateUpTo(database, '0016-choices');
  await database('accounts').insert(ACCOUNT);
  await database('channel_syncs').insert({ account_id: 'acc', channel_key: '#room', synced_to: 1_000 });

  await database.migrate.latest({ migrationSource });
  const store = createStore({ database, readers: database }, createSeal(randomBytes(32)), systemClock);
  await store.capture.nameNetwork('main');

  expect(await store.capture.syncedTo('acc', 'main', '#ROOM')).toBe(1_000);
  expect(await store.accounts.find('acc')).toMatchObject({ nick: 'ada', network: null });
  expect((await store.accounts.list()).map(({ accountId }) => accountId)).toEqual(['acc']);
  await database.destroy();
});

test('the table that was reserved for deliveries gives way to one that mentions are queued in, and accounts keep theirs', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  if (own.kind === 'sqlite') await database.raw('PRAGMA foreign_keys = ON');
  await migrateUpTo(database, '0015-subscriptions');
  await database('accounts').insert(ACCOUNT);
  await database('deliveries').insert({
    ...{ delivery_id: 'del', account_id: 'acc', subscription_id: 'sub', entry_id: 'ent', status: 'waiting' },
    ...{ created_at: 0, due_at: 0 },
  });

  await database.migrate.latest({ migrationSource });

  expect(await database('accounts').pluck('nick')).toEqual(['ada']);
  const store = createStore({ database, readers: database }, createSeal(randomBytes(32)), systemClock);
  expect(await store.deliveries.take(1, 1)).toEqual([]);
  expect(await store.deliveries.counts()).toEqual({ waiting: 0, dropped: 0 });
  expect(await store.subscriptions.ofAccount('acc')).toEqual([]);
  await database.destroy();
});

test('channels that have lost entries to an earlier version do not get them back from a replay', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  await migrateUpTo(database, '0021-retention-borders');
  await database('accounts').insert(ACCOUNT);
  const of = (channel: string, gone: number) => ({ account_id: 'acc', channel, stored: 9, gone, received_row: 0 });
  await database('channel_counts').insert([of('#Pruned', 5), of('#emptied', 9), of('#whole', 0)]);
  const keys = ['#pruned', '#emptied', '#whole'];
  await database('channel_syncs').insert(
    keys.map((key) => ({ account_id: 'acc', network: 'main', channel_key: key, synced_to: 9_000 })),
  );
  await database('entries').insert(
    ['#Pruned', '#whole'].map((channel) => ({
      ...{ entry_id: channel, account_id: 'acc', fingerprint: channel, network: 'main', channel, kind: 'message' },
      ...{ sender: 'bob', text: '', event_at: 5_000, observed_at: 0, timestamp_source: 'server' },
    })),
  );

  await database.migrate.latest({ migrationSource });

  const { capture } = createStore({ database, readers: database }, createSeal(randomBytes(32)), systemClock);
  const borders = await Promise.all(keys.map((key) => capture.removedTo('acc', 'main', key)));
  expect(borders).toEqual([4_999, 9_000, undefined]);
  await database.destroy();
});

test('subscriptions of before know the host as limits count it, and what an earlier version leased is leased by no process', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  await migrateUpTo(database, '0038-delivery-owners');
  await database('accounts').insert(ACCOUNT);
  const shown = ['hooks.example', 'hooks.example.:8443', '[::1]:8080', '127.0.0.1:80'];
  await database('subscriptions').insert(
    shown.map((host) => ({
      ...{ subscription_id: host, account_id: 'acc', client_id: 'one', client_name: 'One', filters: '{}' },
      ...{ callback_host: host, callback_sealed: '', verified_at: 0, created_at: 0, expires_at: 0 },
    })),
  );
  const leased = { event_id: 'evt', subscription_id: 'hooks.example', account_id: 'acc', channel: '#room', body: '{}' };
  await database('deliveries').insert({ ...leased, created_at: 0, due_at: 0, leased_until: 1 });

  await database.migrate.latest({ migrationSource });

  const hosts = await database('subscriptions').orderBy('counted_host').pluck('counted_host');
  expect(hosts.toSorted()).toEqual(['127.0.0.1', '[::1]', 'hooks.example', 'hooks.example']);
  expect(await database('deliveries').pluck('leased_by')).toEqual([null]);
  await database.destroy();
});

test('accounts of before are in slots by their age, and each slot is free', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  await migrateUpTo(database, '0050-account-slots');
  const named = (name: string, createdAt: number) => ({
    ...{ ...ACCOUNT, account_id: name, login: name, login_key: name, nick: name, nick_key: name },
    ...{ bouncer_user: name, created_at: createdAt },
  });
  // The ids are in the opposite order of the ages.
  await database.batchInsert(
    'accounts',
    Array.from({ length: 130 }, (_, age) => named(`acc_${999 - age}`, age)),
    ROWS_AT_ONCE,
  );

  await database.migrate.latest({ migrationSource });

  const slots = await database('accounts').orderBy('created_at').pluck('slot');
  expect(slots).toEqual(Array.from({ length: 130 }, (_, age) => age % 64));
  const free = await database('account_slots').orderBy('slot').select('slot', 'process_id');
  expect(free).toEqual(Array.from({ length: 64 }, (_, slot) => ({ slot, process_id: null })));
  await database.destroy();
});

/** The steps before the one of this name. */
async function stepsBefore(name: string): Promise<number> {
  const names = (await migrationSource.getMigrations([])).map((step) => migrationSource.getMigrationName(step));
  return names.indexOf(name);
}

/** A database as the version before this step left it. */
async function migrateUpTo(database: Knex, name: string): Promise<void> {
  const steps = await stepsBefore(name);
  for (let step = 0; step < steps; step += 1) await database.migrate.up({ migrationSource });
}
