import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { CookieBrowser } from '../../harness/cookie-browser.ts';
import { GITHUB_APP, type GithubLike, startGithubLike } from '../../harness/github-like.ts';
import {
  ADMIN_TOKEN,
  type ConnectorStack,
  connectorCommand,
  secretFile,
  startConnectorStack,
  writeConfig,
} from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const DEADLINE_MS = 120_000;

/** Sends people back with their answers; the person who signs in there is `github.arriving`. */
let github: GithubLike;
let stack: ConnectorStack;
let folder: Awaited<ReturnType<typeof tempFolder>>;
let config: Record<string, unknown>;

beforeAll(async () => {
  folder = await tempFolder();
  github = await startGithubLike(() => `${stack.baseUrl}/login/idp/callback`);
  const clientSecretFile = await secretFile(folder.path, 'app', GITHUB_APP.clientSecret);
  stack = await startConnectorStack({
    config: {
      identityProvider: { github: { url: github.url, clientId: GITHUB_APP.clientId, clientSecretFile } },
      settings: { ownerLogins: ['Ada'], maxUsers: 10 },
      adminEvents: { enable: true },
    },
  });
  config = JSON.parse(await readFile(stack.configFile, 'utf8')) as Record<string, unknown>;
});

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]();
  await github?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

/** Whether the browser is an owner's; one session stays one person, even if their login changes. */
const mayDiagnose = async (browser: CookieBrowser): Promise<boolean> =>
  (await browser.fetch(`${stack.baseUrl}/admin/events`)).status === 200;

test('an owner signs in with GitHub, with the login written in any case, and keeps the account when renamed', async () => {
  const first = await arrive(1, 'aDa');
  expect([first.page.url.pathname, await mayDiagnose(first.browser)]).toEqual(['/settings', true]);
  expect(first.page.body).toContain('aDa');

  const renamed = await arrive(1, 'Lovelace');
  const another = await arrive(666, 'ada');

  expect([renamed.page.url.pathname, await mayDiagnose(renamed.browser)]).toEqual(['/settings', true]);
  expect([another.page.status, await mayDiagnose(another.browser)]).toEqual([403, false]);
});

test('the command invites a login in any case, with channels that a shell does not take for a comment', async () => {
  const invited = await run('invite', ['octo-cat', '--channels', 'room,#OPS']);
  expect(invited).toEqual({
    exitCode: 0,
    stdout: [
      'octo-cat has #Ops, #room',
      `ask them to sign in at ${stack.baseUrl}/settings, and to tick there what their agents may use`,
    ].join('\n'),
    stderr: '',
  });

  const { page } = await arrive(583_231, 'Octo-Cat');

  expect(page.url.pathname).toBe('/settings');
  expect(['#Ops', '#room', '#third'].map((channel) => page.body.includes(`value="${channel}"`))).toEqual([
    true,
    true,
    false,
  ]);
  expect((await run('invite', ['OCTO-CAT', '--channels', ''])).stdout).toContain('OCTO-CAT has no channel');
  expect((await run('invite', ['octo-cat'])).stdout).toContain('octo-cat has #Ops, #room, #third');
  expect((await run('invite', ['ada', '--channels', 'room'])).stdout).toContain('owners need no invitation');
});

test('the command says what is wrong, and what to do', async () => {
  const nobody = await freePort();
  const listen = (port: number) => ({ listen: { address: '127.0.0.1', port } });
  const wrongToken = { adminTokenFile: await secretFile(folder.path, 'wrong', 'x'.repeat(32)) };

  for (const [words, changes, exitCode, complaint] of [
    [[], {}, 64, 'expected homeport-connector invite LOGIN'],
    [['a', 'b'], {}, 64, 'invite does not take b'],
    [['a', '--channels', 'elsewhere'], {}, 1, 'elsewhere is not one of ircChannels: #room, #Ops, #third'],
    [['a\nb'], {}, 1, 'not invited: expected {"idp_login"'],
    [['a'], listen(nobody), 1, `no connector answers at http://127.0.0.1:${nobody}`],
    [['a'], { adminTokenFile: undefined }, 1, 'adminTokenFile is not set'],
    [['a'], wrongToken, 1, 'the connector that runs has another admin token'],
  ] as const) {
    const { exitCode: status, stderr, stdout } = await run('invite', words, changes);
    expect([status, stderr]).toEqual([exitCode, expect.stringContaining(complaint)]);
    expect(stdout).toBe('');
    expect(stderr).not.toContain(ADMIN_TOKEN);
  }
});

test('an owner can free a login that has passed to another person', async () => {
  await run('invite', ['bob', '--channels', 'room']);
  await arrive(70, 'bob');
  const refused = await arrive(80, 'Bob');
  expect([refused.page.status, refused.page.body]).toEqual([403, expect.stringContaining('belongs to another person')]);

  expect((await run('invite', ['bob', '--channels', 'third', '--new-person'])).exitCode).toBe(0);

  expect((await arrive(80, 'Bob')).page.body).toContain('value="#third"');
  expect((await arrive(70, 'robert')).page.body).toContain('value="#room"');
});

test('a person who is not invited, or declines at GitHub, gets no session', async () => {
  const stranger = await arrive(99, 'mallory');
  expect([stranger.page.status, stranger.page.body]).toEqual([403, expect.stringContaining('No access yet')]);
  github.instead.authorize = ({ query }, res) =>
    res.redirect(`${stack.baseUrl}/login/idp/callback?error=access_denied&state=${String(query['state'])}`);
  const refusing = await arrive(1, 'ada');
  expect([refusing.page.status, refusing.page.body]).toEqual([400, expect.stringContaining('was cancelled')]);

  for (const { browser } of [stranger, refusing]) {
    expect(browser.cookie(stack.baseUrl, '__Host-homeport')).toBeUndefined();
    expect((await browser.fetch(`${stack.baseUrl}/settings`)).status).toBe(303);
  }
});

/** A browser that has just left for GitHub, and where GitHub sends it back to. */
async function comingBack(): Promise<{ browser: CookieBrowser; callback: URL }> {
  github.arriving = { id: 1, login: 'ada' };
  const browser = new CookieBrowser();
  const departure = await browser.fetch(`${stack.baseUrl}/login/idp`);
  const back = await browser.fetch(departure.headers.get('location') ?? '');
  return { browser, callback: new URL(back.headers.get('location') ?? '') };
}

for (const [what, spoil] of [
  ['without a state', (url: URL) => url.searchParams.delete('state')],
  ['with a made-up state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
  ['with two states', (url: URL) => url.searchParams.append('state', url.searchParams.get('state') ?? '')],
  ['with a made-up code', (url: URL) => url.searchParams.set('code', 'made-up')],
  ['from another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
  ['with an error instead of a code', (url: URL) => url.searchParams.set('error', 'server_error')],
] as const) {
  test(`a browser that comes back ${what} sees a page that says so, and has no session`, async () => {
    const { browser, callback } = await comingBack();
    spoil(callback);

    const answer = await browser.open(callback.href);

    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('<h1>Sign-in did not work</h1>')]);
    expect(browser.cookie(stack.baseUrl, '__Host-homeport')).toBeUndefined();
  });
}

test('a browser can’t come back for another one, nor twice', async () => {
  const [one, other] = [await comingBack(), await comingBack()];

  expect((await other.browser.open(one.callback.href)).status).toBe(400);
  expect((await new CookieBrowser().open(one.callback.href)).status).toBe(400);
  expect((await one.browser.open(one.callback.href)).url.pathname).toBe('/settings');
  expect((await one.browser.open(one.callback.href)).status).toBe(400);
});

test('many returns at once with one code all sign in, and the provider is asked once', async () => {
  const { browser, callback } = await comingBack();

  const answers = await Promise.all(Array.from({ length: 10 }, () => browser.fetch(callback.href)));

  expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(303));
  expect((await browser.open(`${stack.baseUrl}/settings`)).url.pathname).toBe('/settings');
  const other = new URL(callback);
  other.searchParams.set('code', 'another');
  expect((await browser.fetch(other.href)).status).toBe(400);
});

test('a person who loads the page of the return again because it takes long is signed in', async () => {
  const { browser, callback } = await comingBack();
  const headers = {
    cookie: browser
      .cookies(stack.baseUrl)
      .map((cookie) => cookie.join('='))
      .join('; '),
  };
  const given = new AbortController();
  const first = fetch(callback, { headers, redirect: 'manual', signal: given.signal });
  given.abort();
  await expect(first).rejects.toThrow('aborted');
  const seen = await fetch(callback, { headers, redirect: 'manual' });

  expect((await browser.open(callback.href)).url.pathname).toBe('/settings');
  expect([seen.status, seen.headers.get('location')]).toEqual([303, '/settings']);
});

test('an owner sees in the browser what happens, and others do not', async () => {
  const [owner, guest] = [await arrive(1, 'ada'), await arrive(583_231, 'Octo-Cat')];
  const events = `${stack.baseUrl}/admin/events`;

  const answer = await owner.browser.fetch(`${events}?limit=5`);

  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { events: [], mcp: [], connections: expect.any(Array) },
  ]);
  expect((await guest.browser.fetch(events)).status).toBe(403);
  expect((await fetch(events)).status).toBe(401);
  expect((await fetch(events, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })).status).toBe(200);
  expect((await fetch(events, { method: 'POST' })).status).toBe(405);
});

test('a person who becomes an owner by a reload has every channel at once, also while signed in', async () => {
  await run('invite', ['carol', '--channels', 'room']);
  const { browser, page } = await arrive(60, 'carol');
  expect(page.body).not.toContain('value="#third"');

  await writeFile(stack.configFile, JSON.stringify({ ...config, settings: { ownerLogins: ['ada', 'CAROL'] } }));
  stack.connector.kill('SIGHUP');

  await waitFor('the new owner has the other channels', async () =>
    (await (await browser.fetch(`${stack.baseUrl}/settings`)).text()).includes('value="#third"'),
  );
  expect(await mayDiagnose(browser)).toBe(true);
});

/** The page that a person sees who signs in as this. */
async function arrive(id: number, login: string, browser = new CookieBrowser()) {
  github.arriving = { id, login };
  return { browser, page: await browser.open(`${stack.baseUrl}/login/idp`) };
}

/** Runs a command of the program on the configuration with these changes. */
async function run(command: string, words: readonly string[] = [], changes: Record<string, unknown> = {}) {
  const file = await writeConfig(join(folder.path, 'changed'), { ...config, ...changes });
  const [program, ...args] = connectorCommand(file, command);
  const { exitCode, stdout, stderr } = await execa(program, [...args, ...words], {
    reject: false,
    timeout: DEADLINE_MS,
  });
  return { exitCode, stdout, stderr };
}
