import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { CHANNEL_MAX_CHARACTERS } from '../../../../src/connector/domain/channel.ts';
import { CLIENT_ID_MAX_BYTES } from '../../../../src/connector/domain/client-id.ts';
import { IDEMPOTENCY_KEY_MAX_CHARACTERS, NICK_MAX_CHARACTERS } from '../../../../src/connector/domain/limits.ts';
import { LOGIN_MAX_CHARACTERS } from '../../../../src/connector/domain/login-name.ts';
import { SUBJECT_MAX_BYTES } from '../../../../src/connector/idp/code-flow.ts';
import { tablesToMove } from '../../../../src/connector/store/move/tables.ts';
import { openStore } from '../../../harness/open-store.ts';
import { storeSend } from '../../../harness/stored-sends.ts';

/** Most bytes of an index entry that a move lets through; PostgreSQL itself takes some more. */
const INDEXED_MAX_BYTES = 2_600;

/** Most bytes of a character of UTF-8. */
const CHARACTER_BYTES = 4;
/** Bytes of our own words, such as `acc_…`, hashes, and words of a fixed list. */
const OWN = 64;
const CHANNEL = CHARACTER_BYTES * CHANNEL_MAX_CHARACTERS;
/** Three bytes for each unit of UTF-16; lower case may have more units. */
const LOGIN = 2 * 3 * LOGIN_MAX_CHARACTERS;

/** The most bytes that each text in an index can have, by the bound where it comes in. */
const BOUNDS: Readonly<Record<string, number>> = {
  account_id: OWN,
  // `UpstreamAddress` of the configuration, of any characters.
  address: 3 * 255,
  bouncer_user: OWN,
  channel: CHANNEL,
  channel_key: CHANNEL,
  client_id: CLIENT_ID_MAX_BYTES,
  consent_id: OWN,
  delivery_id: OWN,
  entry_id: OWN,
  event_id: OWN,
  fingerprint: OWN,
  grant_hash: OWN,
  id_hash: OWN,
  idempotency_key: IDEMPOTENCY_KEY_MAX_CHARACTERS,
  // `HttpUrl` and `ProviderAddress` of the configuration: in ASCII.
  issuer: 2_048,
  kind: OWN,
  login: LOGIN,
  login_id: OWN,
  login_key: LOGIN,
  message_id: OWN,
  name: OWN,
  // `NetworkName` of the configuration.
  network: 32,
  nick_key: NICK_MAX_CHARACTERS,
  secret_hash: OWN,
  session_id: OWN,
  status: OWN,
  subject: SUBJECT_MAX_BYTES,
  subscription_id: OWN,
  tag: OWN,
  uid_hash: OWN,
};

test('each text that is part of an index has a bound, and what an index has of them together fits into one of PostgreSQL', async () => {
  const indexes = (await tablesToMove()).flatMap(({ name, indexes: all }) =>
    all.map((columns) => ({ index: `${name}: ${columns.join(', ')}`, columns })),
  );
  const bytesOf = (columns: readonly string[]): number =>
    columns.reduce((sum, column) => sum + (BOUNDS[column] ?? Number.POSITIVE_INFINITY), 0);

  expect(indexes.length).toBeGreaterThan(20);
  expect(indexes.filter(({ columns }) => !(bytesOf(columns) <= INDEXED_MAX_BYTES)).map(({ index }) => index)).toEqual(
    [],
  );
});

test('the longest address of a client, in the longest channel, is stored with a send and its key', async () => {
  await using open = await openStore();
  const channel = `#${'語'.repeat(CHANNEL_MAX_CHARACTERS - 1)}`;
  const accountId = await open.account('ada', [channel]);
  const clientId = `https://a.example/${randomBytes(CLIENT_ID_MAX_BYTES).toString('base64url')}`.slice(
    0,
    CLIENT_ID_MAX_BYTES,
  );
  const idempotencyKey = randomBytes(IDEMPOTENCY_KEY_MAX_CHARACTERS)
    .toString('base64url')
    .slice(0, IDEMPOTENCY_KEY_MAX_CHARACTERS);
  const sessionId = await open.store.agentSessions.create(accountId, clientId);

  const { messageId } = await storeSend(open, {
    ...{ accountId, clientId, sessionId, idempotencyKey },
    ...{ network: 'main', channel, nick: 'ada', text: 'hello', parts: [{ text: 'hello', tag: 'a tag' }] },
  });

  expect(await open.database('messages').where('client_id', clientId).pluck('message_id')).toEqual([messageId]);
});
