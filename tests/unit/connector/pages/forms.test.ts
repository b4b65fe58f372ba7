import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { forms } from '../../../../src/connector/pages/forms.ts';
import { sourceFiles } from '../../../architecture/source-files.ts';
import { pages, testWithPages } from '../../../harness/fixtures/pages.ts';
import type { SignedInPerson } from '../../../harness/serve-pages.ts';

type Fields = Record<string, string>;

const LONG = 'x'.repeat(2_000);

/** The network and address for which a page shows a login. */
const SEEN = { network: 'main', address: 'ircs://irc.example' };

const FORMS: Record<string, FormCase> = {
  '/settings': { right: { channel: '#room' }, wrong: { channel: `#${LONG}` }, does: 'enableChannels' },
  '/settings/presence': { right: { presence: 'online' }, wrong: { presence: 'away' }, does: 'goOnline' },
  '/settings/nick': { right: { nick: 'another' }, wrong: { nick: LONG }, does: 'changeNick' },
  '/settings/network': { right: { network: 'main' }, wrong: { network: LONG }, does: 'chooseNetwork' },
  '/settings/login': {
    right: { ...SEEN, account: 'ada-there', password: 'a password' },
    wrong: { ...SEEN, account: LONG, password: 'a password' },
    does: 'enterNetworkLogin',
  },
  '/settings/login/try': { right: { login: 'nlg_x' }, wrong: { login: '' }, does: 'tryNetworkLogin', answers: 404 },
  '/settings/login/clear': { right: { login: 'nlg_x' }, wrong: { login: '' }, does: 'clearNetworkLogin', answers: 404 },
  '/settings/login/certificate': {
    right: SEEN,
    wrong: { network: 'main' },
    does: 'makeLoginCertificate',
    answers: 503,
  },
  '/settings/tokens': {
    right: { name: 'Night shift', scope: 'irc:read', days: '30' },
    wrong: { name: 'Night shift', scope: 'irc:read', days: '1000' },
    does: 'createPersonalToken',
    answers: 200,
  },
  '/settings/agents/rename': {
    right: { consent: 'consent', name: 'Night shift' },
    wrong: { consent: '', name: 'Night shift' },
    does: 'renameAgent',
  },
  '/settings/agents/revoke': { right: { consent: 'consent' }, wrong: { consent: '' }, does: 'revokeAgent' },
  '/settings/events/revoke': {
    right: { subscription: 'subscription' },
    wrong: { subscription: '' },
    does: 'endSubscription',
  },
  '/settings/history/delete': { right: {}, does: 'deleteHistory' },
  '/settings/people': {
    right: { login: 'newcomer', channel: '#room' },
    wrong: { channel: '#room' },
    does: 'invite',
    isForOwners: true,
  },
  '/settings/people/:accountId': {
    right: { channel: '#room' },
    wrong: { channel: `#${LONG}` },
    does: 'replaceGrants',
    isForOwners: true,
  },
  '/settings/people/:accountId/login': { right: {}, does: 'invite', isForOwners: true },
  '/settings/people/:accountId/remove': { right: {}, does: 'removeAccount', isForOwners: true },
  '/oauth/interaction/:uid': {
    right: { decision: 'allow', scope: 'irc:read' },
    wrong: { decision: 'maybe', scope: 'irc:read' },
  },
  '/logout': { right: {} },
};

const ofAll = Object.entries(FORMS);
const forOwners = ofAll.filter(([, { isForOwners = false }]) => isForOwners);
const changing: ReadonlySet<string> = new Set(ofAll.flatMap(([, { does }]) => does ?? []));

/** Each form has its own owner, because some forms end what others need. */
const ownerOf = (path: string): string => `owner of ${path}`;

const test = testWithPages({
  settings: { ownerLogins: ['ada', ...ofAll.map(([path]) => ownerOf(path))], maxUsers: 200, personalTokens: true },
});

let ada: SignedInPerson;
let guest: SignedInPerson;

test.beforeAll(async () => {
  ada = await pages.person('ada');
  guest = await pages.person('guest');
});

test('every form of the source is one of those served, and every one of those is tried here', () => {
  const defined = sourceFiles('src/connector/pages').flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/= defineForm\(\{/g),
  ]);
  expect(forms).toHaveLength(defined.length);
  expect(forms.map(({ path }) => path).sort()).toEqual(Object.keys(FORMS).sort());
});

for (const [path, { right, wrong, does, answers = 303 }] of ofAll) {
  test(`a form sent to ${path} without proof that we made it has no effect`, async () => {
    const before = await state(ada.cookie);
    const { cookie, csrf } = ada;
    const bob = await pages.person(`bob of ${path}`);

    expect((await post(path, right, { cookie })).status).toBe(403);
    expect((await post(path, { ...right, csrf: '' }, { cookie })).status).toBe(403);
    expect((await post(path, { ...right, csrf: bob.csrf }, { cookie })).status).toBe(403);
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await post(path, { ...right, csrf }, { cookie, 'sec-fetch-site': site })).status).toBe(403);
    }
    for (const origin of ['https://evil.example', 'null', `${pages.baseUrl}0`]) {
      expect((await post(path, { ...right, csrf }, { cookie, origin })).status).toBe(403);
    }
    expect(await state(ada.cookie)).toEqual(before);
  });

  test(`a form sent to ${path} without a sign-in leads to sign-in and has no effect`, async () => {
    const before = await state(ada.cookie);

    for (const headers of [{}, { cookie: `__Host-homeport=${'a'.repeat(43)}` }]) {
      const answer = await post(path, { ...right, csrf: ada.csrf }, headers);
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toMatch(/^\/login/);
    }
    expect(await state(ada.cookie)).toEqual(before);
  });

  if (wrong !== undefined) {
    test(`a form sent to ${path} with a damaged field is refused with 400`, async () => {
      const before = await state(ada.cookie);

      const answer = await post(path, { ...wrong, csrf: ada.csrf }, { cookie: ada.cookie });

      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('A field of this form is missing or damaged');
      expect(await state(ada.cookie)).toEqual(before);
    });
  }

  test(`a form sent to ${path} from a page of ours does its work`, async () => {
    const owner = await pages.person(ownerOf(path));
    const target = await pages.person(`target of ${path}`);
    const before = pages.calls.length;

    const answer = await post(
      path,
      { ...right, csrf: owner.csrf },
      { cookie: owner.cookie, 'sec-fetch-site': 'same-origin', origin: pages.baseUrl },
      target.accountId,
    );

    expect(answer.status).toBe(answers);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(pages.calls.slice(before).filter((call) => changing.has(call))).toEqual(does === undefined ? [] : [does]);
  });

  test(`a browser that asks for ${path} by its address gets a page without an effect; no other method is known`, async () => {
    const before = await state(ada.cookie);
    const address = pages.baseUrl + path.replace(':uid', 'uid').replace(':accountId', guest.accountId);
    const headers = { cookie: ada.cookie, accept: 'text/html' };

    const shown = await fetch(address, { headers });
    const put = await fetch(address, { method: 'PUT', headers });

    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(await state(ada.cookie)).toEqual(before);
  });
}

for (const [path, { right }] of forOwners) {
  test(`a form sent to ${path} by a person who is not an owner is refused and has no effect`, async () => {
    const before = await state(guest.cookie);

    const answer = await post(path, { ...right, csrf: guest.csrf }, { cookie: guest.cookie });

    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('Only for owners');
    expect(await state(guest.cookie)).toEqual(before);
  });
}

test('signing out ends the session, and every cookie that came with it', async () => {
  const carol = await pages.person('carol');

  const answer = await post('/logout', { csrf: carol.csrf }, { cookie: carol.cookie });

  const ended = answer.headers.getSetCookie().filter((cookie) => cookie.includes('Expires=Thu, 01 Jan 1970'));
  expect(ended.map((cookie) => cookie.split('=')[0])).toEqual(['__Host-homeport', 'of-the-library']);
  expect((await state(carol.cookie)).status).toBe(303);
});

/** Returns whether the cookie is signed in, the decisions, and the requested changes: all that forms can do. */
async function state(cookie: string) {
  const { status } = await fetch(`${pages.baseUrl}/settings`, { headers: { cookie }, redirect: 'manual' });
  return { status, decisions: [...pages.decisions], changes: pages.calls.filter((call) => changing.has(call)) };
}

interface FormCase {
  /** Fields that are right. */
  right: Fields;
  /** Fields that no page of ours sends. */
  wrong?: Fields;
  /** The use case that does the work; undefined for what is decided or ended without one. */
  does?: string;
  isForOwners?: boolean;
  /** Status of a page that answers; without it the browser is sent on. */
  answers?: number;
}

function post(path: string, fields: Fields, headers: Record<string, string>, accountId = guest.accountId) {
  return fetch(pages.baseUrl + path.replace(':uid', 'uid').replace(':accountId', accountId), {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'text/html', ...headers },
    redirect: 'manual',
  });
}
