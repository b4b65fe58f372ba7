import { expect } from 'vitest';
import { secretHash } from '../../../../src/connector/domain/ids.ts';
import {
  UNDECIDED_REQUESTS,
  UNDECIDED_REQUESTS_OF_PERSON,
  UNUSED_CLIENT_SECONDS,
} from '../../../../src/connector/domain/limits.ts';
import { INTERACTION } from '../../../../src/connector/ports/oauth-records.ts';
import { CookieBrowser } from '../../../harness/cookie-browser.ts';
import { clientId, oauth, testWithNewClient } from '../../../harness/fixtures/oauth.ts';
import { authorization } from '../../../harness/oauth-client.ts';

const MINUTE_MS = 60_000;

const test = testWithNewClient();

const requests = () => oauth.opened.database('oauth_records').where('kind', INTERACTION);
const strangersOpen = () => openedBy(new CookieBrowser());
const leftOf = async (origin: string): Promise<string[]> =>
  requests().where('origin_hash', origin).orderBy('expires_at').pluck('id_hash');

test('only the newest requests of an address are kept, and each is answered', async () => {
  const { perOrigin } = UNDECIDED_REQUESTS;
  const statuses = new Set<number>();
  for (let count = 0; count < perOrigin + 20; count += 1) statuses.add(await begin());

  expect([...statuses]).toEqual([303]);
  expect(await requests()).toHaveLength(perOrigin);
  const decide = await openedBy(await oauth.signIn('ada'));
  expect(await decide()).not.toBeNull();
});

test('a request that a person who is signed in looks at stays, however many its own address and others begin', async () => {
  const decide = await openedBy(await oauth.signIn('ada'));
  for (let count = 0; count < UNDECIDED_REQUESTS.perOrigin + 5; count += 1) await begin();
  await begunFrom('a flood', UNDECIDED_REQUESTS.all);
  await begin();

  expect(await requests()).toHaveLength(UNDECIDED_REQUESTS.all);
  expect(await decide()).not.toBeNull();
});

test('a flood from one address removes what came from there, and not the request of a person who still signs in', async () => {
  await strangersOpen();
  const [mine] = await requests().pluck('id_hash');
  await begunFrom('an office', 150);
  await begunFrom('a flood', UNDECIDED_REQUESTS.all - 151);

  expect(await begin()).toBe(303);

  expect(await leftOf('an office')).toHaveLength(150);
  const left = await leftOf('a flood');
  expect([left.length, left[0]]).toEqual([UNDECIDED_REQUESTS.all - 152, 'a flood 1']);
  expect(await requests().pluck('id_hash')).toContain(mine);
});

test('an address at which people look at all its requests gets no further one until they are over, others do', async () => {
  await begin();
  const [own] = await requests().pluck('origin_hash');
  const busyUntil = oauth.opened.clock.now() + 20 * MINUTE_MS;
  await requests().update({ busy_until: busyUntil });
  await begunFrom(own, UNDECIDED_REQUESTS.perOrigin - 1, { busy_until: busyUntil });

  const refused = await fetch(authorization(oauth, clientId).url, { redirect: 'manual' });
  expect([refused.status, refused.headers.get('location') ?? '']).toEqual([
    expect.any(Number),
    expect.not.stringContaining('/oauth/interaction/'),
  ]);
  expect(await requests()).toHaveLength(UNDECIDED_REQUESTS.perOrigin);
  const elsewhere = { idHash: 'new', uidHash: null, grantHash: null, payload: '{}', expiresAt: busyUntil };
  expect(await oauth.records.admit(INTERACTION, elsewhere, 'elsewhere', UNDECIDED_REQUESTS)).toBe(true);

  oauth.pass(21 * MINUTE_MS);
  expect(await begin()).toBe(303);
});

test('however many addresses begin requests, those that people look at stay, and no more are kept than may be', async () => {
  const bounds = { ...UNDECIDED_REQUESTS, all: 2, atMost: 4 };
  const endsAt = oauth.opened.clock.now() + MINUTE_MS;
  const admit = async (name: string) => {
    const record = { idHash: name, uidHash: null, grantHash: null, payload: '{}', expiresAt: endsAt };
    const isKept = await oauth.records.admit(INTERACTION, record, `address of ${name}`, bounds);
    await oauth.records.keepBusy(INTERACTION, name, endsAt);
    return isKept;
  };
  const kept: boolean[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) kept.push(await admit(name));

  expect(kept).toEqual([true, true, true, true, false, false]);
  expect(await requests().orderBy('id_hash').pluck('id_hash')).toEqual(['a', 'b', 'c', 'd']);
});

test('a request that could not be marked when its person looked at it is marked when they look again', async () => {
  const { database } = oauth.opened;
  const decide = await openedBy(await oauth.signIn('ada'));
  await requests().update({ busy_until: null });
  await oauth.restart();
  const browser = await oauth.signIn('grace');
  const fail = ({ sql }: { sql: string }): void => {
    if (/^update .*busy_until/i.test(sql)) throw Object.assign(new Error('it went away'), { code: 'ECONNRESET' });
  };
  browser.stopAt = (to) => to.pathname.startsWith('/oauth/interaction/');
  const { url } = await browser.open(authorization(oauth, clientId).url.href);
  database.on('query', fail);
  expect((await browser.fetch(url.href)).status).toBe(500);
  database.off('query', fail);
  expect((await browser.fetch(url.href)).status).toBe(200);

  const busy: (number | null)[] = await requests().pluck('busy_until');
  expect(busy.filter((until) => until !== null)).toHaveLength(1);
  expect(await decide()).not.toBeNull();
});

test('a client that registered a day ago is there until its last authorization request is decided', async () => {
  oauth.pass((UNUSED_CLIENT_SECONDS - 60) * 1_000);
  const browser = await oauth.signIn('ada');
  const decide = await openedBy(browser);
  oauth.pass(19 * MINUTE_MS);
  await oauth.records.removeEnded(100);

  browser.stopAt = undefined;
  expect(oauth.pending).toMatchObject({ clientName: 'By hand' });
  expect(await oauth.records.find('Client', { idHash: secretHash(clientId) })).toBeDefined();
  browser.stopAt = (to) => to.origin !== oauth.baseUrl;
  expect(await decide()).not.toBeNull();
});

test('a client without a decision ends a day after it has registered, or with its last request', async () => {
  oauth.pass((UNUSED_CLIENT_SECONDS - 60) * 1_000);
  await begin();
  const client = () => oauth.records.find('Client', { idHash: secretHash(clientId) });
  oauth.pass(19 * MINUTE_MS);
  expect(await client()).toBeDefined();

  oauth.pass(2 * MINUTE_MS);
  expect(await client()).toBeUndefined();
  await oauth.records.removeEnded(100);
  expect(await oauth.opened.database('oauth_records').where('kind', 'Client')).toEqual([]);
});

test('a person holds only so many requests at once, and the newest of them', async () => {
  const browser = await oauth.signIn('ada');
  for (let count = 0; count < UNDECIDED_REQUESTS_OF_PERSON + 3; count += 1) await openedBy(browser);

  const now = oauth.opened.clock.now();
  const held: boolean[] = (await requests().orderBy('expires_at').pluck('busy_until')).map((end) => Number(end) > now);
  expect(held).toEqual([false, false, false, ...Array<boolean>(UNDECIDED_REQUESTS_OF_PERSON).fill(true)]);
  const decide = await openedBy(await oauth.signIn('bob'));
  for (let count = 0; count < UNDECIDED_REQUESTS.perOrigin; count += 1) await begin();
  expect(await decide()).not.toBeNull();
});

test('a request ends with the person’s decision', async () => {
  const decide = await openedBy(await oauth.signIn('ada'));
  expect(await requests()).toHaveLength(1);
  await decide();

  expect(await requests()).toEqual([]);
  expect(await oauth.opened.database('oauth_records').where('id_hash', secretHash(clientId))).toHaveLength(1);
});

/** A browser at the page where a person decides, and that page. */
async function openedBy(browser: CookieBrowser) {
  browser.stopAt = (to) => to.origin !== oauth.baseUrl;
  oauth.pass(1);
  const page = await browser.open(authorization(oauth, clientId).url.href);
  return async () => (await browser.submit(page, { decision: 'allow' })).url.searchParams.get('code');
}

/** Begins requests from another address. */
async function begunFrom(origin: string, count: number, changes: object = {}): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    kind: INTERACTION,
    id_hash: `${origin} ${index}`,
    payload_sealed: '',
    origin_hash: origin,
    expires_at: oauth.opened.clock.now() + 20 * MINUTE_MS + index,
    ...changes,
  }));
  await oauth.opened.database.batchInsert('oauth_records', rows, 100);
}

async function begin(): Promise<number> {
  oauth.pass(1);
  return (await fetch(authorization(oauth, clientId).url, { redirect: 'manual' })).status;
}
