import { afterAll, beforeEach, expect } from 'vitest';
import { inviteRoute } from '../../../../src/connector/admin/invite-route.ts';
import { createServices, type Services } from '../../../../src/connector/services/index.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { type EdgeServer, startEdge } from '../../../harness/edge-server.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

const ADMIN_TOKEN = 'admin-token-of-the-tests';
const GUEST = { idp_login: 'guest' };
const USER_TOKEN = { accountId: 'acc_1', clientId: 'client', scopes: ['irc:read' as const], expiresAt: 2_000_000_000 };

const test = testWithStore();

let services: Services;
let edge: EdgeServer;
/** The edge of a configuration without `adminTokenFile`. */
let tokenless: EdgeServer;

test.beforeAll(async () => {
  services = createServices(serviceContext(open));
  const guarded = [inviteRoute(services)];
  edge = await startEdge({ guarded, adminToken: ADMIN_TOKEN, tokens: { 'of-a-user': USER_TOKEN } });
  tokenless = await startEdge({ guarded });
});

beforeEach(async () => {
  await open.database('accounts').delete();
});

afterAll(async () => {
  await edge?.[Symbol.asyncDispose]();
  await tokenless?.[Symbol.asyncDispose]();
});

test('an invitation says what is granted; without channels that is everything', async () => {
  verifies('connector.invitation.201', 'connector.invitation.idp-login', 'connector.invitation.channels');

  expect(await invited({ ...GUEST, channels: ['#room'] })).toEqual({ ...GUEST, channels: ['#room'], owner: false });
  expect(await invited(GUEST)).toEqual({ ...GUEST, channels: ['#ops', '#room'], owner: false });
  expect(await invited({ ...GUEST, channels: [] })).toEqual({ ...GUEST, channels: [], owner: false });
});

test('an invitation of an owner has no effect and says so', async () => {
  const answer = await invited({ idp_login: 'ada', channels: ['#room'] });

  expect(answer).toEqual({
    idp_login: 'ada',
    channels: ['#ops', '#room'],
    owner: true,
    note: 'this login is an owner’s: owners need no invitation and always have every channel of ircChannels',
  });
});

test('a login that has passed to another person is invited afresh', async () => {
  await invited(GUEST);
  const former = await services.signIn({ issuer: 'https://id.example', subject: '7', login: 'guest' });

  await invited({ ...GUEST, channels: ['#room'], new_person: true });

  expect((await services.people()).people).toMatchObject([
    { login: 'guest', hasSignedIn: false, granted: ['#room'] },
    { accountId: former.accountId, login: null, granted: ['#ops', '#room'] },
  ]);
});

for (const [what, headers] of [
  ['nothing', {}],
  ['an empty token', { authorization: 'Bearer ' }],
  ['a wrong token', { authorization: 'Bearer wrong' }],
  ['the beginning of the token', { authorization: `Bearer ${ADMIN_TOKEN.slice(0, -1)}` }],
  ['the token and more', { authorization: `Bearer ${ADMIN_TOKEN}x` }],
  ['an access token of a person', { authorization: 'Bearer of-a-user' }],
  ['the token in another scheme', { authorization: `Basic ${ADMIN_TOKEN}` }],
  ['the token in a cookie', { cookie: `token=${ADMIN_TOKEN}` }],
] as const) {
  test(`a caller with ${what} may not invite, with and without an admin token`, async () => {
    verifies('connector.invitation.401', 'connector.authentication.7');

    for (const at of [edge, tokenless]) {
      const answer = await post(GUEST, headers, at);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
    expect((await services.people()).people).toEqual([]);
  });
}

for (const [what, body, status] of [
  ['that is not JSON', '{', 400],
  ['with a key __proto__', '{"idp_login":"guest","__proto__":{}}', 400],
  ['of a text', '"guest"', 422],
  ['of null', 'null', 422],
  ['of a list', [GUEST], 422],
  ['without a login', { channels: [] }, 422],
  ['with an empty login', { idp_login: ' ' }, 422],
  ['with a login that is a number', { idp_login: 7 }, 422],
  ['with a login of two lines', { idp_login: 'guest\nx' }, 422],
  ['with a login of 256 characters', { idp_login: 'x'.repeat(256) }, 422],
  ['with another member', { ...GUEST, login: 'x' }, 422],
  ['with one channel that is not a list', { ...GUEST, channels: '#room' }, 422],
  ['with channels that are null', { ...GUEST, channels: null }, 422],
  ['with a channel that is not configured', { ...GUEST, channels: ['#room', '#elsewhere'] }, 422],
  ['with a channel without its #', { ...GUEST, channels: ['room'] }, 422],
  ['with 1,001 channels', { ...GUEST, channels: Array(1_001).fill('#room') }, 422],
  ['with another kind of new_person', { ...GUEST, new_person: 'yes' }, 422],
] as const) {
  test(`an invitation ${what} is answered ${status}, and has no effect`, async () => {
    verifies('connector.invitation.422');

    expect((await post(body)).status).toBe(status);
    expect((await services.people()).people).toEqual([]);
  });
}

test('at the limit one more person is 409, and a known one is 201', async () => {
  verifies('connector.invitation.409', 'connector.invitation.201');
  for (const login of ['a', 'b', 'c']) await invited({ idp_login: login });

  const race = await Promise.all(['d', 'e', 'f', 'g'].map(async (login) => (await post({ idp_login: login })).status));

  expect(race.toSorted()).toEqual([201, 409, 409, 409]);
  expect((await post({ idp_login: 'a', channels: [] })).status).toBe(201);
});

async function invited(body: unknown): Promise<unknown> {
  const answer = await post(body);
  expect(answer.status).toBe(201);
  return answer.json();
}

function post(body: unknown, headers: Record<string, string> = { authorization: `Bearer ${ADMIN_TOKEN}` }, at = edge) {
  return fetch(`${at.url}/admin/invite`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
