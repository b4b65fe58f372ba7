import { expect } from 'vitest';
import { oauth, testWithNewOauth } from '../../../harness/fixtures/oauth.ts';
import { authorization, codeFor, redeem, registerClient } from '../../../harness/oauth-client.ts';

const ELSEWHERE = 'https://elsewhere.example/callback';
const LEGACY = { id: 'legacy', secret: 'a secret of the owner', redirectUris: ['https://actions.example/callback'] };

const test = testWithNewOauth({ legacyClient: LEGACY });

const registered = (redirectUri: string) => registerClient(oauth, { redirect_uris: [redirectUri] });

test.each([
  ['an unknown scope', { scope: 'irc:admin' }, 'invalid_scope'],
  ['a foreign resource', { resource: 'https://evil.example' }, 'invalid_target'],
  ['prompt=none', { prompt: 'none' }, '(login|interaction)_required'],
])(
  'a request with %s for a client that nobody has allowed ends at a page with a way back',
  async (_, changes, error) => {
    const answer = await ask(await registered(ELSEWHERE), ELSEWHERE, changes);

    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    const [, href = ''] = /href="([^"]+)">Back to elsewhere\.example</.exec(await answer.text()) ?? [];
    const back = new URL(href);
    expect(back.origin + back.pathname).toBe(ELSEWHERE);
    expect(back.searchParams.get('error')).toMatch(new RegExp(`^${error}$`));
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 'st/ate +%', iss: oauth.baseUrl });
  },
);

test('the same for an app with a scheme of its own', async () => {
  const uri = 'com.example.app:/callback';
  const answer = await ask(await registered(uri), uri);

  expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  expect(await answer.text()).toContain('Back to the app for com.example.app: links');
});

test('a client with a consent gets its error at once, until that has ended', async () => {
  const clientId = await registerClient(oauth, { redirect_uris: [ELSEWHERE, 'http://127.0.0.1:9/callback'] });
  await redeem(oauth, clientId, await codeFor(oauth, 'ada', clientId));

  const answer = await ask(clientId, ELSEWHERE);
  await oauth.consents.endClient(oauth.accountOf('ada'), clientId);

  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^https:\/\/elsewhere\.example\/callback\?error=invalid_scope/),
  ]);
  expect((await ask(clientId, ELSEWHERE)).status).toBe(400);
});

test('a program on the person’s own machine and the client that the owner configured get it at once, too', async () => {
  const local = 'http://127.0.0.1:9/callback';
  const [first, second] = await Promise.all([
    ask(await registered(local), local),
    ask(LEGACY.id, LEGACY.redirectUris[0] ?? ''),
  ]);

  expect([first.status, second.status]).toEqual([303, 303]);
  expect(second.headers.get('location')).toMatch(/^https:\/\/actions\.example\/callback\?error=invalid_scope/);
});

test('a person who declines is sent back, because they have read where to', async () => {
  const { url } = authorization(oauth, await registered(ELSEWHERE), { redirect_uri: ELSEWHERE });
  const browser = await oauth.signIn('ada');
  browser.stopAt = (to) => to.origin !== oauth.baseUrl;

  const answer = await browser.submit(await browser.open(url.href), { decision: 'deny' });

  expect(answer.url.origin + answer.url.pathname).toBe(ELSEWHERE);
  expect(answer.url.searchParams.get('error')).toBe('access_denied');
});

test.each<[string, () => string, RegExp]>([
  ['an app that is not known', () => authorization(oauth, 'nobody').url.href, /is not known here any more/],
  [
    'an app whose description can’t be had',
    () => authorization(oauth, 'https://elsewhere.example/client.json').url.href,
    /describes itself does not answer/,
  ],
  [
    'a decision that is over',
    () => `${oauth.baseUrl}/oauth/authorize/over`,
    /took too long, or it was begun in another/,
  ],
])('a person who was sent here by %s reads what they can do', async (_, url, words) => {
  const answer = await fetch(url(), { redirect: 'manual', headers: { accept: 'text/html' } });

  expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(words)]);
});

test('so does one whose app wants its answer elsewhere', async () => {
  const answer = await ask(await registered(ELSEWHERE), `${ELSEWHERE}/other`, {});

  expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(/address that is not its own/)]);
});

function ask(clientId: string, redirectUri: string, changes: Record<string, string> = { scope: 'irc:admin' }) {
  return fetch(authorization(oauth, clientId, { redirect_uri: redirectUri, ...changes }).url, {
    redirect: 'manual',
    headers: { accept: 'text/html' },
  });
}
