import { expect } from 'vitest';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { AGENT_REDIRECT_URI } from '../../harness/agent.ts';
import { CookieBrowser } from '../../harness/cookie-browser.ts';
import { chrome, stack, testWithChrome } from '../../harness/fixtures/chrome.ts';
import { authorization, registerClient } from '../../harness/oauth-client.ts';
import { ADMIN_TOKEN } from '../../harness/start-connector.ts';

const test = testWithChrome();

const settingsUrl = () => `${stack.baseUrl}/settings`;

test('a person signs in, enables a channel, consents to an agent and signs out, in a real browser without scripts', async () => {
  verifies(
    'connector.service.7',
    'connector.authentication.6',
    'connector.account.enabled-channels',
    'connector.endpoint.GET-login',
  );
  const clientId = await registerClient(stack, { client_name: 'Agent <script>' });
  const context = await chrome.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));

  await page.goto(`${stack.baseUrl}/login`);
  await page.getByRole('link', { name: 'Continue to sign-in' }).click();
  await page.getByLabel('Login').fill('ada');
  await page.getByRole('button').click();
  await page.getByRole('checkbox', { name: '#room' }).check();
  await page.getByRole('button', { name: 'Save channels' }).click();
  expect(await page.getByRole('checkbox', { name: '#room' }).isChecked()).toBe(true);
  expect(await page.getByRole('checkbox', { name: '#Ops' }).isChecked()).toBe(false);

  await page.goto(authorization(stack, clientId).url.href);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Allow Agent <script>?');
  await context.route(`${AGENT_REDIRECT_URI}**`, (route) => route.fulfill({ body: 'the agent goes on' }));
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`${AGENT_REDIRECT_URI}**`);
  const callback = new URL(page.url());
  expect(callback.searchParams.get('code')).toMatch(/^[\w-]{43}$/);

  await page.goto(settingsUrl());
  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(new URL(page.url()).pathname).toBe('/login');
  expect((await context.cookies()).filter(({ name }) => name.startsWith('__Host-'))).toEqual([]);
  expect(complaints.filter((text) => /content security/i.test(text))).toEqual([]);
  await context.close();
});

test('no page is wider than a phone', async () => {
  const context = await chrome.newContext({ viewport: { width: 320, height: 640 }, isMobile: true });
  const page = await context.newPage();
  await page.goto(settingsUrl());
  await page.getByLabel('Login').fill('ada');
  await page.getByRole('button').click();

  for (const path of ['/settings', '/privacy', '/nothing']) {
    await page.goto(stack.baseUrl + path);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  }
  await context.close();
});

test('a person who is not invited sees that and gets no session', async () => {
  const browser = new CookieBrowser();

  const page = await browser.submit(await browser.open(settingsUrl()), { login: 'mallory' });

  expect(page.status).toBe(403);
  expect(page.body).toContain('The login mallory is not invited');
  expect((await browser.fetch(settingsUrl())).status).toBe(303);
});

test('the admin token invites people up to the limit, who start with no channel enabled', async () => {
  verifies(
    'connector.invitation.idp-login',
    'connector.invitation.channels',
    'connector.account.granted-channels',
    'connector.account.nick',
    'connector.invitation.201',
    'connector.invitation.409',
  );
  expect((await stack.invite('1st.guest', ['#room'])).status).toBe(201);
  expect((await stack.invite('second')).status).toBe(201);
  expect((await stack.invite('third')).status).toBe(409);
  expect((await stack.invite('second', ['#Ops'])).status).toBe(201);
  expect((await stack.invite('second', ['#elsewhere'])).status).toBe(422);

  const guest = await stack.signIn('1st.guest');
  const { body } = await guest.open(settingsUrl());
  expect(body).toContain('<code>u1st_guest</code>');
  expect([...body.matchAll(/value="(#\w+)"( checked)?/g)].map(([, channel, checked]) => [channel, checked])).toEqual([
    ['#room', undefined],
  ]);
});

test('new grants replace the old ones and keep selections that are still allowed', async () => {
  verifies('connector.account.granted-channels', 'connector.account.enabled-channels');
  const browser = await stack.signIn('second');
  await browser.submit(await browser.open(settingsUrl()), { channel: ['#Ops'] }, '/settings');
  await stack.invite('second', ['#Ops', '#third']);

  const { body } = await browser.open(settingsUrl());

  expect([...body.matchAll(/value="(#\w+)"( checked)?/g)].map(([, channel, checked]) => [channel, checked])).toEqual([
    ['#Ops', ' checked'],
    ['#third', undefined],
  ]);
});

test('a channel that is not granted can’t be enabled', async () => {
  verifies('connector.account.enabled-channels');
  const browser = await stack.signIn('second');

  const page = await browser.submit(await browser.open(settingsUrl()), { channel: ['#room', '#third'] }, '/settings');

  expect(page.body).not.toContain('value="#room"');
  expect(page.body).toContain('value="#third" checked');
});

test('invitations without the token, or malformed, are refused', async () => {
  verifies('connector.invitation.401', 'connector.invitation.422');
  const post = (authorization: string, body: string) =>
    fetch(`${stack.baseUrl}/admin/invite`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });
  const valid = JSON.stringify({ idp_login: 'x' });

  expect((await post('Bearer wrong', valid)).status).toBe(401);
  expect((await post('', valid)).status).toBe(401);
  expect((await post(`Bearer ${ADMIN_TOKEN}`, '{')).status).toBe(400);
  expect((await post(`Bearer ${ADMIN_TOKEN}`, '{"login":"x"}')).status).toBe(422);
});

test('an invitation of a login with a line break is refused, wherever the break stands', async () => {
  for (const login of ['guest\r\nlogin', 'guest\n', '\rguest', 'guest\u2028login']) {
    expect((await stack.invite(login)).status).toBe(422);
  }
});

test('forms of another site, without or with a foreign token, have no effect', async () => {
  const browser = await stack.signIn('ada');
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    browser.fetch(stack.baseUrl + path, { method: 'POST', body: new URLSearchParams(fields), headers });
  const { body } = await browser.open(settingsUrl());
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? '';

  expect((await post('/settings', { channel: '#third' })).status).toBe(403);
  expect((await post('/settings', { channel: '#third', csrf: 'x'.repeat(43) })).status).toBe(403);
  expect((await post('/settings', { channel: '#third', csrf }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await post('/logout', {})).status).toBe(403);
  expect((await browser.open(settingsUrl())).body).not.toContain('value="#third" checked');
});

test('a session cookie set before sign-in is useless after it, and the old one is useless after sign-out', async () => {
  verifies('connector.endpoint.POST-logout');
  const planted = 'a'.repeat(43);
  const browser = new CookieBrowser();
  browser.setCookie(settingsUrl(), '__Host-homeport', planted);

  const form = await browser.open(settingsUrl());
  const settings = await browser.submit(form, { login: 'ada' });

  const secret = browser.cookie(settingsUrl(), '__Host-homeport') ?? '';
  expect(settings.url.href).toBe(settingsUrl());
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(secret).not.toBe(planted);
  expect(await statusOfSettings(secret)).toBe(200);
  expect(await statusOfSettings(planted)).toBe(303);

  await browser.submit(settings, {}, '/logout');

  expect(browser.cookie(settingsUrl(), '__Host-homeport')).toBeUndefined();
  expect(await statusOfSettings(secret)).toBe(303);
});

test('signing in again in the same browser ends the session before', async () => {
  const browser = await stack.signIn('ada');
  const first = browser.cookie(settingsUrl(), '__Host-homeport') ?? '';

  await browser.submit(await browser.open(`${stack.baseUrl}/login/idp`), { login: 'ada' });

  expect(await statusOfSettings(first)).toBe(303);
  expect((await browser.fetch(settingsUrl())).status).toBe(200);
});

/** Returns the status of a request that has this session cookie and no other. */
async function statusOfSettings(secret: string): Promise<number> {
  const headers = { cookie: `__Host-homeport=${secret}` };
  return (await fetch(settingsUrl(), { redirect: 'manual', headers })).status;
}

for (const next of [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/logout',
  '/oauth/interaction/../../x',
]) {
  test(`sign-in never returns to ${next}`, async () => {
    const browser = new CookieBrowser();
    const form = await browser.open(`${stack.baseUrl}/login/idp?next=${encodeURIComponent(next)}`);

    const page = await browser.submit(form, { login: 'ada' });

    expect(page.url.href).toBe(settingsUrl());
  });
}

test('a sign-in begun in another browser, or with another state, is refused', async () => {
  const browser = new CookieBrowser();
  await browser.open(`${stack.baseUrl}/login/idp`);
  const callback = `${stack.baseUrl}/login/idp/callback?code=x&state=y`;

  expect((await fetch(callback)).status).toBe(400);
  expect((await browser.open(callback)).status).toBe(400);
});

test('an authorization request can be decided only in the browser it was begun in', async () => {
  const clientId = await registerClient(stack);
  const first = await stack.signIn('ada');
  const page = await first.open(authorization(stack, clientId).url.href);
  const second = await stack.signIn('ada');

  const stolen = await second.open(page.url.href);

  expect(stolen.status).toBe(400);
  expect(stolen.body).toContain('This request is over');
});

test('every page forbids scripts and frames', async () => {
  for (const path of ['/login', '/privacy', '/nothing', '/healthz']) {
    const { headers } = await fetch(stack.baseUrl + path, { headers: { accept: 'text/html' } });
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('no page is shown inside of another site’s', async () => {
  const context = await chrome.newContext();
  const page = await context.newPage();
  for (const path of ['/login', '/privacy', '/nothing']) {
    await context.route('http://frame.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${stack.baseUrl}${path}"></iframe>` }),
    );
    await page.goto('http://frame.example/');
    const [, framed] = page.frames();
    await framed?.waitForLoadState();
    expect(framed?.url()).toMatch(/^chrome-error:/);
    await context.unrouteAll();
  }
  await context.close();
});

test('disabled diagnostics answer all callers with 404, and no page has the admin token', async () => {
  const events = `${stack.baseUrl}/admin/events`;
  const owner = await stack.signIn('ada');

  const statuses = [
    (await fetch(events)).status,
    (await fetch(events, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })).status,
    (await owner.fetch(events)).status,
  ];

  expect(statuses).toEqual([404, 404, 404]);
  expect((await owner.open(settingsUrl())).body).not.toContain(ADMIN_TOKEN);
});
