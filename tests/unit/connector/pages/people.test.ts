import { expect, test } from 'vitest';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { type ServedPages, type SignedInPerson, servePages } from '../../../harness/serve-pages.ts';

const CHANNELS = ['#ops', '#room'];

const grantsOf = async (pages: ServedPages, login: string) =>
  (await pages.open.store.accounts.findByLogin(login))?.grants;

test('an owner sees everybody with their channels, invites a person, and gives other channels', async () => {
  verifies('connector.service.6');
  await using owner = await withOwner();
  const { pages, ada } = owner;

  const invited = await post(pages, ada, '/settings/people', [
    ['login', ' bob '],
    ...CHANNELS.map((channel) => ['channel', channel] as const),
  ]);
  expect([invited.status, invited.goTo]).toEqual([303, '/settings?done=invited#people']);
  const accountId = (await pages.open.store.accounts.findByLogin('bob'))?.accountId ?? '';
  await pages.services.enableChannels(accountId, ['#room']);

  const { body } = await show(pages, ada);
  expect(body).toContain('>People with access</h2>');
  expect(rowOf(body, 'ada')).toMatch(/^owner/);
  expect(rowOf(body, 'bob')).toBe('has not signed in yet Nick bob. Granted: #ops, #room. Enabled: #room.');
  const shown = await show(pages, ada, `/settings/people/${accountId}`);
  expect(
    [...shown.body.matchAll(/<input type="checkbox"( checked)? name="channel" value="(#\w+)"/g)].map(
      ([, , name]) => name,
    ),
  ).toEqual(CHANNELS);

  const granted = await post(pages, ada, `/settings/people/${accountId}`, [['channel', '#room']]);
  expect([granted.status, granted.goTo]).toEqual([303, '/settings?done=granted#people']);
  expect(await grantsOf(pages, 'bob')).toEqual([{ channel: '#room', enabled: true }]);
  await post(pages, ada, `/settings/people/${accountId}`);
  expect(await grantsOf(pages, 'bob')).toEqual([]);
  expect(rowOf((await show(pages, ada)).body, 'bob')).toContain('Granted: none. Enabled: none.');
});

test('inviting a login that has access replaces its channels: what was enabled stays so, new ones start off', async () => {
  verifies('connector.service.6');
  await using owner = await withOwner();
  const { pages, ada } = owner;
  await pages.open.account('bob', ['#room']);

  await post(pages, ada, '/settings/people', [
    ['login', 'bob'],
    ['channel', '#room'],
    ['channel', '#ops'],
  ]);

  expect(await grantsOf(pages, 'bob')).toEqual(
    expect.arrayContaining([
      { channel: '#room', enabled: true },
      { channel: '#ops', enabled: false },
    ]),
  );
});

test('an impossible invitation is refused beside its field, and no person is invited', async () => {
  await using owner = await withOwner({ maxUsers: 1 });
  const { pages, ada } = owner;

  for (const [login, status, why] of [
    ['a\nb', 422, 'This can’t be a login.'],
    [' ', 422, 'This can’t be a login.'],
    ['x'.repeat(300), 422, 'This can’t be a login.'],
    ['late', 409, 'which is the limit: settings.maxUsers'],
  ] as const) {
    const { status: answered, body } = await post(pages, ada, '/settings/people', [['login', login]]);
    expect([login, answered]).toEqual([login, status]);
    expect(body.split('role="alert">')[1]?.split('</p>')[0]).toContain(why);
    expect(body).toMatch(/<details open>\s*<summary>Invite somebody/);
  }
  expect(await pages.open.store.accounts.list()).toHaveLength(1);
});

test('a channel that the configuration does not list is refused', async () => {
  await using owner = await withOwner();
  const { pages, ada } = owner;
  const accountId = await pages.open.account('bob', ['#room']);

  for (const [path, fields] of [
    [
      '/settings/people',
      [
        ['login', 'eve'],
        ['channel', '#elsewhere'],
      ],
    ],
    [`/settings/people/${accountId}`, [['channel', '#elsewhere']]],
  ] as const) {
    const { status, body } = await post(pages, ada, path, fields);
    expect(status).toBe(422);
    expect(body).toContain('#elsewhere is not one of ircChannels');
  }
  expect(await grantsOf(pages, 'bob')).toEqual([{ channel: '#room', enabled: true }]);
  expect(await grantsOf(pages, 'eve')).toBeUndefined();
});

test('a person is removed after a second question: their session ends, and their login is free', async () => {
  await using owner = await withOwner();
  const { pages, ada } = owner;
  const bob = await pages.person('bob');

  const question = await show(pages, ada, `/settings/people/${bob.accountId}/remove`);
  expect(question.body).toContain('<h1>Remove bob?</h1>');
  expect(question.body).toContain(`href="/settings/people/${bob.accountId}/history.jsonl"`);
  expect((await show(pages, bob)).status).toBe(200);

  const removed = await post(pages, ada, `/settings/people/${bob.accountId}/remove`);
  expect([removed.status, removed.goTo]).toEqual([303, '/settings?done=removed#people']);
  expect((await show(pages, bob)).status).toBe(303);
  expect((await show(pages, ada)).body).not.toContain('<strong>bob</strong>');
  expect(await pages.open.store.accounts.findByLogin('bob')).toBeUndefined();
});

test('an owner is not removed, and has no channels to choose from: the configuration says who owns this', async () => {
  await using owner = await withOwner();
  const { pages, ada } = owner;

  const shown = await show(pages, ada, `/settings/people/${ada.accountId}`);
  expect(shown.body).toContain('<code>settings.ownerLogins</code>');
  expect(shown.body).not.toContain('<form');

  expect((await post(pages, ada, `/settings/people/${ada.accountId}/remove`)).status).toBe(409);
  expect((await show(pages, ada)).status).toBe(200);
});

test('a login that has passed to another person is given to them, and the first one keeps their account', async () => {
  await using owner = await withOwner();
  const { pages, ada } = owner;
  await pages.services.invite({ login: 'bob', channels: ['#room'] });
  const first = await pages.services.signIn({ issuer: 'https://id.example', subject: '7', login: 'bob' });
  const second = { issuer: 'https://id.example', subject: '8', login: 'bob' };
  await expect(pages.services.signIn(second)).rejects.toThrow('belongs to another person');

  const shown = await show(pages, ada, `/settings/people/${first.accountId}`);
  expect(shown.body).toContain('Give bob to another person');
  expect((await post(pages, ada, `/settings/people/${first.accountId}/login`)).status).toBe(303);

  const newcomer = await pages.services.signIn(second);
  expect(newcomer.accountId).not.toBe(first.accountId);
  expect(newcomer.grants).toEqual([{ channel: '#room', enabled: false }]);
  const renamed = await pages.services.signIn({ issuer: 'https://id.example', subject: '7', login: 'robert' });
  expect(renamed.accountId).toBe(first.accountId);
});

test('an owner’s form about a removed or an unknown person is answered by a page', async () => {
  await using owner = await withOwner();
  const { pages, ada } = owner;

  for (const path of [
    '/settings/people/nobody',
    '/settings/people/nobody/remove',
    '/settings/people/nobody/history.jsonl',
  ]) {
    expect(await show(pages, ada, path)).toMatchObject({
      status: 404,
      body: expect.stringContaining('No such account'),
    });
  }
  for (const path of ['/settings/people/nobody', '/settings/people/nobody/remove', '/settings/people/nobody/login']) {
    expect((await post(pages, ada, path)).status).toBe(404);
  }
});

test('pages about other people are for owners alone', async () => {
  await using owner = await withOwner();
  const { pages, ada } = owner;
  const bob = await pages.person('bob');

  expect((await show(pages, bob)).body).not.toContain('People with access');
  for (const part of ['', '/remove', '/history.jsonl']) {
    const { status, body } = await show(pages, bob, `/settings/people/${ada.accountId}${part}`);
    expect(status).toBe(403);
    expect(body).toContain('Only for owners');
    expect(body).not.toContain('ada');
  }
});

test('no page of an owner has a token in it, nor the number by which the identity provider knows a person', async () => {
  await using owner = await withOwner();
  const { pages, ada } = owner;
  await pages.services.invite({ login: 'bob' });
  const { accountId } = await pages.services.signIn({
    issuer: 'https://id.example',
    subject: 'subject-of-bob',
    login: 'bob',
  });

  for (const path of ['/settings', `/settings/people/${accountId}`, `/settings/people/${accountId}/remove`]) {
    const { body } = await show(pages, ada, path);
    expect(body).not.toContain('subject-of-bob');
    expect(body).not.toMatch(/[Bb]earer/);
    // The proof of the forms is the only long random text beside the numbers of accounts.
    const secrets = [...body.matchAll(/[\w-]{40,}/g)].map(([text]) => text);
    expect(new Set(secrets)).toEqual(new Set([ada.csrf]));
  }
});

/** An owner, ada, who is signed in. */
async function withOwner(settings: { maxUsers?: number } = {}) {
  const pages = await servePages({ settings: { ownerLogins: ['ada'], ircChannels: CHANNELS, ...settings } });
  return { pages, ada: await pages.person('ada'), [Symbol.asyncDispose]: () => pages[Symbol.asyncDispose]() };
}

async function show(pages: ServedPages, { cookie }: SignedInPerson, path = '/settings') {
  const answer = await fetch(pages.baseUrl + path, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' });
  return { status: answer.status, body: await answer.text() };
}

async function post(
  pages: ServedPages,
  { cookie, csrf }: SignedInPerson,
  path: string,
  fields: readonly (readonly [string, string])[] = [],
) {
  const body = new URLSearchParams([['csrf', csrf], ...fields] as [string, string][]);
  const headers = { cookie, accept: 'text/html' };
  const answer = await fetch(pages.baseUrl + path, { method: 'POST', body, headers, redirect: 'manual' });
  return { status: answer.status, goTo: answer.headers.get('location'), body: await answer.text() };
}

/** Returns the panel's text about a person, as it is read. */
function rowOf(body: string, login: string): string {
  return (body.split(`<strong>${login}</strong>`)[1]?.split('<a ')[0] ?? '')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
