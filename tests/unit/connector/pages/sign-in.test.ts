import { afterAll, beforeAll, expect, test } from 'vitest';
import { SIGN_IN_MAX_MS } from '../../../../src/connector/domain/limits.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { CookieBrowser } from '../../../harness/cookie-browser.ts';
import { type ServedPages, servePages } from '../../../harness/serve-pages.ts';

const SIGN_IN_COOKIE = '__Host-homeport-sign-in';
const SESSION_COOKIE = '__Host-homeport';

let pages: ServedPages;

beforeAll(async () => {
  pages = await servePages();
});

afterAll(() => pages?.[Symbol.asyncDispose]());

/** A browser that is about to come back from the identity provider. */
async function leave(next = '/settings') {
  const browser = new CookieBrowser();
  const departure = await browser.fetch(`${pages.baseUrl}/login/idp?next=${encodeURIComponent(next)}`);
  return { browser, callback: departure.headers.get('location') ?? '' };
}

test('sign-in leads back to where the person wanted to go, and leaves nothing of itself behind', async () => {
  verifies('connector.endpoint.GET-login-idp-callback');
  const { browser, callback } = await leave('/oauth/interaction/uid');
  expect(browser.cookie(callback, SIGN_IN_COOKIE)).toBeDefined();

  const answer = await browser.fetch(callback);

  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/oauth/interaction/uid');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(browser.cookie(callback, SIGN_IN_COOKIE)).toBeUndefined();
  expect(browser.cookie(callback, SESSION_COOKIE)).toMatch(/^[\w-]{43}$/);
});

test('each cookie of a sign-in is for us alone, and hidden from scripts', async () => {
  verifies('connector.authentication.8');
  const { browser, callback } = await leave();
  const departure = await browser.fetch(`${pages.baseUrl}/login/idp`);
  const arrival = await browser.fetch(callback);

  const set = [...departure.headers.getSetCookie(), ...arrival.headers.getSetCookie()];
  expect(set.map((cookie) => cookie.split('=')[0])).toEqual(expect.arrayContaining([SIGN_IN_COOKIE, SESSION_COOKIE]));
  for (const cookie of set) {
    expect(cookie).toContain('; Path=/');
    expect(cookie).toContain('; HttpOnly');
    expect(cookie).toContain('; Secure');
    expect(cookie).toContain('; SameSite=Lax');
    expect(cookie).not.toContain('Domain');
  }
});

test('a sign-in is taken once', async () => {
  const { browser, callback } = await leave();
  expect((await browser.fetch(callback)).status).toBe(303);

  expect((await browser.fetch(callback)).status).toBe(400);
});

test('a sign-in that took too long is refused, and the page leads to another one', async () => {
  const { browser, callback } = await leave();
  pages.open.clock.set(pages.open.clock.now() + SIGN_IN_MAX_MS + 1);

  const answer = await browser.open(callback);

  expect(answer.status).toBe(400);
  expect(answer.body).toContain('This sign-in was not started in this browser, or too long ago: start again.');
  expect(answer.body).toContain('<a class="button" href="/login">Sign in again</a>');
  expect(browser.cookie(callback, SESSION_COOKIE)).toBeUndefined();
});

for (const [what, change] of [
  ['shortened', (cookie: string) => cookie.slice(0, -4)],
  ['changed', (cookie: string) => cookie.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))],
  ['empty', () => ''],
  ['in clear', () => encodeURIComponent(JSON.stringify({ state: 's', nonce: 'n', codeVerifier: 'v', next: '/' }))],
] as const) {
  test(`a sign-in whose cookie is ${what} is refused`, async () => {
    const { browser, callback } = await leave();
    const cookie = `${SIGN_IN_COOKIE}=${change(browser.cookie(callback, SIGN_IN_COOKIE) ?? '')}`;

    const answer = await fetch(callback, { headers: { cookie }, redirect: 'manual' });

    expect(answer.status).toBe(400);
    expect(answer.headers.getSetCookie().filter((set) => set.startsWith(`${SESSION_COOKIE}=`))).toEqual([]);
  });
}

test('somebody who is not invited sees why, and nobody is signed in', async () => {
  pages.arriving = { issuer: 'https://id.example', subject: '9', login: '<mallory>' };
  const { browser, callback } = await leave();

  const answer = await browser.open(callback);

  expect(answer.status).toBe(403);
  expect(answer.body).toContain('<h1>No access yet</h1>');
  expect(answer.body).toContain('The login &lt;mallory&gt; is not invited: an owner can invite it.');
  expect(browser.cookie(callback, SESSION_COOKIE)).toBeUndefined();
});

test('a person who was renamed finds their own settings, under the new login', async () => {
  const { accountId } = await pages.person('bob');
  for (const login of ['bob', 'robert']) {
    pages.arriving = { issuer: 'https://id.example', subject: '7', login };
    const { browser, callback } = await leave();
    const settings = await browser.open(callback);
    expect(settings.body).toContain(`Signed in as ${login}`);
    expect(settings.body).toContain('<code>bob</code>');
  }
  expect(await pages.open.store.accounts.find(accountId)).toMatchObject({ login: 'robert' });
});

test('somebody who is signed in does not see the sign-in page', async () => {
  const { cookie } = await pages.person('carol');

  const answer = await fetch(`${pages.baseUrl}/login`, { headers: { cookie }, redirect: 'manual' });

  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/settings');
});

test('when another person arrives with an owner’s login, the pages of the former owner say so at once', async () => {
  await using own = await servePages();
  const shown = async (browser: CookieBrowser) => (await browser.open(`${own.baseUrl}/settings`)).body;
  const arrive = async (subject: string, login: string) => {
    own.arriving = { issuer: 'https://id.example', subject, login };
    const browser = new CookieBrowser();
    await browser.open(`${own.baseUrl}/login/idp`);
    return browser;
  };
  const former = await arrive('1', 'ada');
  expect(await shown(former)).toContain('Signed in as ada, owner');
  expect(await shown(await arrive('9', 'ada'))).toContain('Signed in as ada, owner');

  expect(await shown(former)).toContain('Signed in. Somebody else has your login now');
  expect(await shown(await arrive('1', 'lovelace'))).toContain('<p class="lead">Signed in as lovelace</p>');
});
