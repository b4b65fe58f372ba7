import { expect } from 'vitest';
import { SIGN_IN_MAX_MS } from '../../../../src/connector/domain/limits.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { CookieBrowser } from '../../../harness/cookie-browser.ts';
import { pages, testWithPages } from '../../../harness/fixtures/pages.ts';
import { servePages } from '../../../harness/serve-pages.ts';

const SIGN_IN_COOKIE = '__Host-homeport-sign-in-';
const SESSION_COOKIE = '__Host-homeport';

const test = testWithPages();

/** The cookies of sign-ins under way, by name and value. */
const attempts = (browser: CookieBrowser): [string, string][] =>
  browser.cookies(pages.baseUrl).filter(([name]) => name.startsWith(SIGN_IN_COOKIE));

test('sign-in leads back to where the person wanted to go, and leaves no cookie of its own', async () => {
  verifies('connector.endpoint.GET-login-idp-callback');
  const { browser, callback } = await leave('/oauth/interaction/uid');
  expect(attempts(browser)).toHaveLength(1);

  const answer = await browser.fetch(callback);

  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/oauth/interaction/uid');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(attempts(browser)).toEqual([]);
  expect(browser.cookie(callback, SESSION_COOKIE)).toMatch(/^[\w-]{43}$/);
});

test('each cookie of a sign-in is for us alone, and hidden from scripts', async () => {
  verifies('connector.authentication.8');
  const { browser, callback } = await leave();
  const departure = await browser.fetch(`${pages.baseUrl}/login/idp`);
  const arrival = await browser.fetch(callback);

  const set = [...departure.headers.getSetCookie(), ...arrival.headers.getSetCookie()];
  expect(set.map((cookie) => cookie.split('=')[0])).toEqual(
    expect.arrayContaining([expect.stringMatching(`^${SIGN_IN_COOKIE}`), SESSION_COOKIE]),
  );
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
    const [[name, value] = ['', '']] = attempts(browser);
    const cookie = `${name}=${change(value)}`;

    const answer = await fetch(callback, { headers: { cookie }, redirect: 'manual' });

    expect(answer.status).toBe(400);
    expect(answer.headers.getSetCookie().filter((set) => set.startsWith(`${SESSION_COOKIE}=`))).toEqual([]);
  });
}

test('a person who is not invited sees why, and is not signed in', async () => {
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

test('a person who is signed in does not see the sign-in page', async () => {
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

test('each of several tabs that began a sign-in ends it, and goes where it wanted to', async () => {
  const browser = new CookieBrowser();
  const paths = ['/oauth/interaction/one', '/settings', '/oauth/interaction/two'];
  // The requests go out at the same moment, so that no answer has come when the last one does.
  const callbacks = await Promise.all(paths.map((path) => depart(browser, path)));
  const ends: (string | null)[] = [];
  for (const callback of callbacks.reverse()) ends.push((await browser.fetch(callback)).headers.get('location'));

  expect(ends).toEqual(paths.reverse());
  expect(attempts(browser)).toEqual([]);
});

test('a page that is fetched twice can be ended by either answer, and by each once', async () => {
  const browser = new CookieBrowser();
  const [first = '', second = ''] = [await depart(browser), await depart(browser)];

  const statuses: number[] = [];
  for (const callback of [second, first, first, second]) statuses.push((await browser.fetch(callback)).status);
  expect(statuses).toEqual([303, 303, 400, 400]);
});

test('a browser remembers five sign-ins, and the oldest goes first', async () => {
  const browser = new CookieBrowser();
  const callbacks: string[] = [];
  for (let index = 0; index < 7; index += 1) {
    callbacks.push(await depart(browser));
    pages.open.clock.set(pages.open.clock.now() + 1);
  }

  expect(attempts(browser)).toHaveLength(5);
  // A cookie has room for 4,096 bytes, and all of them have to go into the head of a request.
  expect(JSON.stringify(attempts(browser)).length).toBeLessThan(4_096);
  const statuses: number[] = [];
  for (const callback of callbacks) statuses.push((await browser.fetch(callback)).status);
  expect(statuses).toEqual([400, 400, 303, 303, 303, 303, 303]);
});

test('sign-ins whose time is over make room, and a return with another state ends no sign-in', async () => {
  const browser = new CookieBrowser();
  for (let index = 0; index < 4; index += 1) await depart(browser);
  pages.open.clock.set(pages.open.clock.now() + SIGN_IN_MAX_MS + 1);
  const callback = await depart(browser);
  expect(attempts(browser)).toHaveLength(1);

  for (const state of ['', 'x', '__proto__', 'x'.repeat(500), new URL(callback).searchParams.get('state')?.slice(1)]) {
    const forged = new URL(callback);
    forged.searchParams.set('state', state ?? '');
    expect((await browser.fetch(forged.href)).status).toBe(400);
  }
  expect((await browser.fetch(`${callback}&state=twice`)).status).toBe(400);
  expect((await browser.fetch(callback)).status).toBe(303);
});

test('a second sign-in of the same person leaves the forms of other tabs good, one of another person does not', async () => {
  const browser = new CookieBrowser();
  const arrive = async (subject: string, login: string) => {
    pages.arriving = { issuer: 'https://id.example', subject, login };
    await browser.open(await depart(browser));
  };
  await pages.person('dora');
  await pages.person('eve');
  await arrive('41', 'dora');
  const shown = await browser.open(`${pages.baseUrl}/settings`);
  const cookie = browser.cookie(pages.baseUrl, SESSION_COOKIE);

  await arrive('41', 'dora');
  expect(browser.cookie(pages.baseUrl, SESSION_COOKIE)).not.toBe(cookie);
  expect((await browser.submit(shown, {}, '/settings')).status).toBe(200);
  await arrive('42', 'eve');
  expect((await browser.submit(shown, {}, '/settings')).status).toBe(403);
});

test('a sign-out leaves no open sign-in that another person could end', async () => {
  const browser = new CookieBrowser();
  pages.arriving = { issuer: 'https://id.example', subject: '1', login: 'ada' };
  await browser.open(await depart(browser));
  const callback = await depart(browser);

  await browser.submit(await browser.open(`${pages.baseUrl}/settings`), {}, '/logout');

  expect(attempts(browser)).toEqual([]);
  expect((await browser.fetch(callback)).status).toBe(400);
});

test('a person whose app has gone meanwhile reads just that, when they look and when they decide', async () => {
  const { cookie, csrf } = await pages.person('frida');
  const path = `${pages.baseUrl}/oauth/interaction/uid`;
  const before = pages.pending;
  pages.pending = 'client_gone';

  const body = new URLSearchParams({ csrf, decision: 'allow', scope: 'irc:read' });
  for (const init of [{}, { method: 'POST', body }]) {
    const answer = await fetch(path, { headers: { cookie }, ...init });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('The app is not known here any more'),
    ]);
  }
  pages.pending = before;
});

/** A browser that is about to come back from the identity provider. */
async function leave(next = '/settings') {
  const browser = new CookieBrowser();
  return { browser, callback: await depart(browser, next) };
}

async function depart(browser: CookieBrowser, next = '/settings'): Promise<string> {
  const departure = await browser.fetch(`${pages.baseUrl}/login/idp?next=${encodeURIComponent(next)}`);
  return departure.headers.get('location') ?? '';
}
