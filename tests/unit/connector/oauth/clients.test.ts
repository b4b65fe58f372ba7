import { expect } from 'vitest';
import { secretHash } from '../../../../src/connector/domain/ids.ts';
import { DAY_MS, DECISION_SECONDS, UNUSED_CLIENTS } from '../../../../src/connector/domain/limits.ts';
import { AGENT_REDIRECT_URI } from '../../../harness/agent.ts';
import { oauth, testWithNewOauth } from '../../../harness/fixtures/oauth.ts';
import { authorization, codeFor, postRegistration, redeem, registerClient } from '../../../harness/oauth-client.ts';

const test = testWithNewOauth();

const authorise = async (clientId: string): Promise<number> =>
  (await redeem(oauth, clientId, await codeFor(oauth, 'ada', clientId))).status;

test('a client that is not authorised within a day is gone, an authorised one stays', async () => {
  const used = await registerClient(oauth);
  const unused = await registerClient(oauth);
  expect(await authorise(used)).toBe(200);
  oauth.pass(DAY_MS - 1);
  expect([await isKnown(used), await isKnown(unused)]).toEqual([true, true]);

  // Until then a person could have decided about the request of just now.
  oauth.pass(DECISION_SECONDS * 1_000 + 1);

  expect([await isKnown(used), await isKnown(unused)]).toEqual([true, false]);
  while ((await oauth.records.removeEnded(10)) > 0);
  oauth.pass(365 * DAY_MS);
  expect(await oauth.opened.database('oauth_records').where('kind', 'Client').pluck('id_hash')).toEqual([
    secretHash(used),
  ]);
  expect(await authorise(used)).toBe(200);
});

/** Removes what has ended, as upkeep does minute by minute. */
async function keepUp(): Promise<void> {
  const { records, consents } = oauth;
  while ((await consents.removeEnded(10)) > 0);
  while ((await records.releaseClients(10)) > 0);
  while ((await records.removeEnded(10)) > 0);
}
const clientsLeft = (): Promise<string[]> =>
  oauth.opened.database('oauth_records').where('kind', 'Client').orderBy('id_hash').pluck('id_hash');

test.each<[string, (clientId: string) => Promise<unknown>]>([
  ['was revoked', (clientId) => oauth.consents.endClient(oauth.accountOf('ada'), clientId)],
  ['went with its account', () => oauth.consents.endAccount(oauth.accountOf('ada'))],
  ['was not used for a month', async () => oauth.pass(31 * DAY_MS)],
])('a client whose only consent %s is gone a day later, and may be allowed again until then', async (_, end) => {
  const clientId = await registerClient(oauth);
  const again = await registerClient(oauth);
  for (const id of [clientId, again]) await authorise(id);
  await keepUp();
  for (const id of [clientId, again]) await end(id);

  await keepUp();
  expect([await isKnown(clientId), await authorise(again)]).toEqual([true, 200]);
  oauth.pass(DAY_MS + 1);
  await keepUp();

  expect(await clientsLeft()).toEqual([secretHash(again)]);
  expect([await isKnown(clientId), await isKnown(again)]).toEqual([false, true]);
});

test('a client stays while one of its consents does, and each has its turn however many there are', async () => {
  const shared = await registerClient(oauth);
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push(await registerClient(oauth));
  for (const id of ids) await authorise(id);
  await authorise(shared);
  await redeem(oauth, shared, await codeFor(oauth, 'bob', shared));
  await oauth.consents.endAccount(oauth.accountOf('ada'));

  // Two at a time, and anew after the last.
  let released = 0;
  for (let step = 0; step < 4; step += 1) released += await oauth.records.releaseClients(2);
  expect([released, await oauth.records.releaseClients(2)]).toEqual([5, 0]);
  oauth.pass(DAY_MS + 1);
  await keepUp();

  expect(await clientsLeft()).toEqual([secretHash(shared)]);
});

test('a client that is allowed while it is being released stays', async () => {
  const clientId = await registerClient(oauth);
  await authorise(clientId);
  await oauth.consents.endAccount(oauth.accountOf('ada'));

  const [, status] = await Promise.all([keepUp(), authorise(clientId), keepUp()]);
  await keepUp();
  oauth.pass(2 * DAY_MS);
  await keepUp();

  expect([status, await isKnown(clientId)]).toEqual([200, true]);
});

test('clients without an authorisation are never more than a thousand, and the oldest go first', async () => {
  const used = await registerClient(oauth);
  await authorise(used);
  const rows = Array.from({ length: UNUSED_CLIENTS.all }, (_, index) => ({
    kind: 'Client',
    id_hash: `client ${index}`,
    payload_sealed: '',
    expires_at: oauth.opened.clock.now() + index,
  }));
  await oauth.opened.database.batchInsert('oauth_records', rows, 100);
  oauth.pass(1);

  const newest = await registerClient(oauth);

  const clients = () => oauth.opened.database('oauth_records').where('kind', 'Client');
  const hashes: string[] = await clients().whereNotNull('expires_at').pluck('id_hash');
  expect(hashes).toHaveLength(UNUSED_CLIENTS.all);
  expect(hashes).toContain(secretHash(newest));
  expect(hashes).not.toContain('client 0');
  expect(await isKnown(used)).toBe(true);
});

test('however many clients an earlier version left, a new one can register', async () => {
  // These are more clients than one statement takes as values.
  await oauth.opened.database.raw(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 70000)
     INSERT INTO oauth_records (kind, id_hash, payload_sealed, expires_at)
     SELECT 'Client', 'client ' || n, '', CAST(? AS bigint) FROM numbers`,
    [oauth.opened.clock.now()],
  );

  const newest = await registerClient(oauth);

  const hashes: string[] = await oauth.opened.database('oauth_records').where('kind', 'Client').pluck('id_hash');
  expect(hashes).toHaveLength(UNUSED_CLIENTS.all);
  expect(hashes).toContain(secretHash(newest));
});

test('records that have ended are removed in steps, others stay', async () => {
  const { database, clock } = oauth.opened;
  const rows = Array.from({ length: 1_200 }, (_, index) => ({
    kind: index % 2 === 0 ? 'Session' : 'AccessToken',
    id_hash: `record ${index}`,
    payload_sealed: '',
    expires_at: clock.now() + index,
  }));
  await database.batchInsert('oauth_records', rows, 100);
  oauth.pass(1_100);

  const removed: number[] = [];
  while (removed.at(-1) !== 0) removed.push(await oauth.records.removeEnded(500));

  expect(removed).toEqual([500, 500, 100, 0]);
  expect(await database('oauth_records').pluck('id_hash')).toHaveLength(100);
});

test('a client of an earlier version with more and longer redirect URIs than may be registered now stays good', async () => {
  const clientId = 'client-of-an-earlier-version';
  const long = `https://a.example/${'x'.repeat(1_500)}`;
  await oauth.records.save('Client', {
    idHash: secretHash(clientId),
    uidHash: null,
    grantHash: null,
    expiresAt: null,
    payload: JSON.stringify({
      client_id: clientId,
      client_name: 'From before',
      redirect_uris: [AGENT_REDIRECT_URI, ...Array.from({ length: 12 }, (_, index) => `${long}${index}`)],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      sector_identifier_uri: 'https://127.0.0.1:1/never-asked',
    }),
  });

  expect(await authorise(clientId)).toBe(200);
});

const registeredFrom = (origin: string, count: number, names = origin): Promise<unknown> =>
  oauth.opened.database.batchInsert(
    'oauth_records',
    Array.from({ length: count }, (_, index) => ({
      ...{ kind: 'Client', id_hash: `${names} ${index}`, payload_sealed: '', origin_hash: origin },
      expires_at: oauth.opened.clock.now() + index + 1,
    })),
    100,
  );
const unusedOf = async (origin: string): Promise<string[]> =>
  oauth.opened
    .database('oauth_records')
    .where({ kind: 'Client', origin_hash: origin })
    .orderBy('expires_at')
    .pluck('id_hash');

test('a flood of registrations from one address removes only what came from there', async () => {
  const quiet = await registerClient(oauth);
  // Ones that came before the flood, so that they would go first.
  await registeredFrom('an office', 150);
  await registeredFrom('a flood', UNUSED_CLIENTS.all - 151);
  oauth.pass(1);

  const newest = await registerClient(oauth);

  expect([await isKnown(quiet), await isKnown(newest)]).toEqual([true, true]);
  expect(await unusedOf('an office')).toHaveLength(150);
  const left = await unusedOf('a flood');
  expect([left.length, left[0]]).toEqual([UNUSED_CLIENTS.all - 152, 'a flood 1']);
});

test('a client about which a person is deciding stays, however many register, also from its own address', async () => {
  const clientId = await registerClient(oauth);
  const browser = await oauth.signIn('ada');
  browser.stopAt = (to) => to.origin !== oauth.baseUrl;
  const asked = await browser.open(authorization(oauth, clientId).url.href);
  for (let index = 0; index < UNUSED_CLIENTS.perOrigin + 20; index += 1) {
    oauth.opened.clock.set(oauth.opened.clock.now() + 1);
    await registerClient(oauth);
  }

  const { count } = (await oauth.opened
    .database('oauth_records')
    .where('kind', 'Client')
    .count({ count: '*' })
    .first()) as {
    count: number;
  };
  expect(Number(count)).toBe(UNUSED_CLIENTS.perOrigin);
  const { url } = await browser.submit(asked, { decision: 'allow' });
  expect(url.searchParams.get('code')).not.toBeNull();
});

test('an address all of whose clients are being decided about gets no further one until then, others do', async () => {
  const other = await registerClient(oauth);
  const [own] = await oauth.opened.database('oauth_records').where('id_hash', secretHash(other)).pluck('origin_hash');
  await registeredFrom(own, UNUSED_CLIENTS.perOrigin - 1);
  const minute = 60_000;
  await oauth.opened
    .database('oauth_records')
    .where('origin_hash', own)
    .update({ busy_until: oauth.opened.clock.now() + minute, expires_at: oauth.opened.clock.now() + DAY_MS });
  await registeredFrom('elsewhere', UNUSED_CLIENTS.all);

  const refused = await postRegistration(oauth, {});
  expect([refused.status, await refused.json()]).toMatchObject([429, { error: 'temporarily_unavailable' }]);
  expect(await isKnown(other)).toBe(true);

  oauth.pass(21 * minute);
  expect((await postRegistration(oauth, {})).status).toBe(201);
});

test('decisions that are begun from thousands of addresses fill no disk, and leave those who decide about one client alone', async () => {
  const busyFrom = async (origin: string, count: number) => {
    await registeredFrom(origin, count);
    await oauth.opened
      .database('oauth_records')
      .where('origin_hash', origin)
      .update({ busy_until: oauth.opened.clock.now() + DAY_MS, expires_at: oauth.opened.clock.now() + DAY_MS });
  };
  const quiet = await registerClient(oauth);
  await oauth.opened.database('oauth_records').update({ busy_until: oauth.opened.clock.now() + DAY_MS });
  await busyFrom('a botnet', 3);
  const { all, perOrigin, atMost } = UNUSED_CLIENTS;
  const bounds = { all: 3, perOrigin, atMost: 4, alsoBusy: true };
  const admit = (name: string, origin: string) =>
    oauth.records.admit(
      'Client',
      { idHash: name, uidHash: null, grantHash: null, payload: '{}', expiresAt: oauth.opened.clock.now() + DAY_MS },
      origin,
      bounds,
    );
  const busyOnly = () =>
    oauth.opened
      .database('oauth_records')
      .where('kind', 'Client')
      .update({ busy_until: oauth.opened.clock.now() + DAY_MS });

  // The address with most makes room, as long as it has more than the new one would have.
  expect(await admit('one', 'another')).toBe(true);
  await busyOnly();
  expect(await admit('two', 'a third')).toBe(true);
  await busyOnly();
  expect(await unusedOf('a botnet')).toHaveLength(1);
  expect(await admit('three', 'a fourth')).toBe(false);
  expect(await isKnown(quiet)).toBe(true);
  expect(atMost).toBeGreaterThan(all);
});

test('apps that register at the same moment from an address with its share all get a place, and those of others stay', async () => {
  const first = await registerClient(oauth);
  const [own] = await oauth.opened.database('oauth_records').where('id_hash', secretHash(first)).pluck('origin_hash');
  await registeredFrom('an office', 5);
  await registeredFrom(own, UNUSED_CLIENTS.perOrigin);
  oauth.pass(1);

  const answers = await Promise.all(Array.from({ length: 20 }, () => postRegistration(oauth, {})));

  expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(201));
  // The next one counts what those at once have left.
  await registerClient(oauth);
  expect(await unusedOf(own)).toHaveLength(UNUSED_CLIENTS.perOrigin);
  expect(await unusedOf('an office')).toHaveLength(5);
});

const WRONG = [null, true, 7, '', 'x', {}, [], [null], [7], [{}], ['x'], { a: ['b'] }] as const;
const MEMBERS = [
  'application_type',
  'client_name',
  'client_uri',
  'contacts',
  'default_acr_values',
  'default_max_age',
  'grant_types',
  'id_token_signed_response_alg',
  'initiate_login_uri',
  'jwks',
  'jwks_uri',
  'logo_uri',
  'redirect_uris',
  'require_auth_time',
  'response_modes',
  'response_types',
  'scope',
  'sector_identifier_uri',
  'software_statement',
  'subject_type',
  'token_endpoint_auth_method',
  'tos_uri',
] as const;

test('the answer to a registration with any members is a client or the reason of a refusal', async () => {
  const cases = MEMBERS.flatMap((member) => WRONG.map((value) => ({ [member]: value })));
  for (const metadata of cases) {
    const answer = await postRegistration(oauth, metadata);
    const { error } = (await answer.json()) as { error?: string };

    expect({ metadata, status: answer.status, error }).toEqual(
      answer.status === 201
        ? { metadata, status: 201, error: undefined }
        : { metadata, status: 400, error: expect.stringMatching(/^invalid_(client_metadata|redirect_uri)$/) },
    );
  }
});

test('a registration keeps only the members that have a meaning here', async () => {
  const answer = await postRegistration(oauth, {
    logo_uri: 'https://a.example/logo.png',
    sector_identifier_uri: 'https://127.0.0.1:1/never-asked',
    jwks_uri: 'https://a.example/keys',
    contacts: ['somebody@a.example'],
    scope: 'irc:read openid',
    made_up: 'x'.repeat(1_000),
  });

  expect(answer.status).toBe(201);
  const body = (await answer.json()) as Record<string, unknown>;
  expect(body).toMatchObject({ client_name: 'By hand', redirect_uris: [AGENT_REDIRECT_URI] });
  for (const member of ['logo_uri', 'sector_identifier_uri', 'jwks_uri', 'contacts', 'scope', 'made_up']) {
    expect(body).not.toHaveProperty(member);
  }
});

async function isKnown(clientId: string): Promise<boolean> {
  const answer = await fetch(authorization(oauth, clientId).url, { redirect: 'manual' });
  return answer.status === 303;
}
