import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { CookieBrowser, Page } from '../../harness/cookie-browser.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { postMcp } from '../../harness/oauth-client.ts';

const SETTINGS = { ownerLogins: ['ada'], maxUsers: 3 };

const test = testWithStack({ config: { settings: { ...SETTINGS, personalTokens: true } } });

let browser: CookieBrowser;

test.beforeAll(async () => {
  browser = await stack.signIn('ada');
  await (await stack.invite('grace')).text();
});

const settings = (of = browser): Promise<Page> => of.open(`${stack.baseUrl}/settings`);

const tokenIn = ({ body }: Page): string => /homeport_[\w-]{43}/.exec(body)?.[0] ?? '';

const statusOf = async (token: string): Promise<number> =>
  (await fetch(`${stack.baseUrl}/v1/status`, { headers: { authorization: `Bearer ${token}` } })).status;

test('a person makes a token in the settings, and an agent without a browser reads with it by MCP and REST', async () => {
  const made = await make({ name: 'Nightly report', scope: 'irc:read' });
  const token = tokenIn(made);

  expect(made.status).toBe(200);
  expect(made.headers.get('cache-control')).toContain('no-store');
  expect(await call(token, 'see_account_information')).toMatchObject({ status: 200, result: { nick: 'ada' } });
  expect(await statusOf(token)).toBe(200);
  const { body } = await settings();
  expect(body).toContain('Nightly report');
  expect(body).toContain('A token that you made on');
  expect(body).not.toContain(token);
});

test('a token does what was ticked and no more', async () => {
  const [reading, both] = [
    tokenIn(await make({ name: 'reads', scope: 'irc:read' })),
    tokenIn(await make({ name: 'writes too', scope: ['irc:read', 'irc:write'] })),
  ];

  expect((await call(reading, 'go_offline')).status).toBe(403);
  expect(await call(both, 'go_offline')).toMatchObject({ status: 200, result: { presence: 'offline' } });
});

test('a token is good until it is revoked in the settings, also after a restart', async () => {
  const token = tokenIn(await make({ name: 'to be revoked', scope: 'irc:read' }));
  await stack.restartConnector();
  expect(await statusOf(token)).toBe(200);
  const { body, ...page } = await settings();
  const row = body.split('<li>').find((part) => part.includes('<strong>to be revoked</strong>')) ?? '';

  await browser.submit({ ...page, body: row }, {}, '/settings/agents/revoke');

  expect(await statusOf(token)).toBe(401);
  expect((await settings()).body).not.toContain('to be revoked');
});

test.each([
  ['no name', { name: ' ', scope: 'irc:read' }, 'This can’t be a name'],
  ['a name that nobody sees', { name: 'a\u202eb', scope: 'irc:read' }, 'This can’t be a name'],
  ['nothing that it may do', { name: 'idle' }, 'Nothing is ticked'],
])('a token with %s is refused beside its field', async (_, fields, why) => {
  const answer = await make(fields);
  expect([answer.status, answer.body]).toEqual([422, expect.stringContaining(why)]);
});

test('made-up tokens, and tokens of a removed person, are refused', async () => {
  const grace = await stack.signIn('grace');
  const token = tokenIn(await make({ name: 'of grace', scope: 'irc:read' }, grace));
  expect(await statusOf(token)).toBe(200);
  const people = await settings();
  const person = /\/settings\/people\/([\w-]+)">Change<span class="unseen"> grace</.exec(people.body)?.[1] ?? '';
  const question = await browser.open(`${stack.baseUrl}/settings/people/${person}/remove`);
  await browser.submit(question, {}, `/settings/people/${person}/remove`);

  expect(await statusOf(token)).toBe(401);
  for (const made of ['homeport_', `homeport_${'x'.repeat(43)}`, `homeport_${'x'.repeat(4_000)}`])
    expect(await statusOf(made)).toBe(401);
});

test('once an owner has turned tokens off, no new one can be made, and the earlier ones are refused', async () => {
  const token = tokenIn(await make({ name: 'until then', scope: 'irc:read' }));
  const before = await settings();
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as object;
  await writeFile(stack.configFile, JSON.stringify({ ...config, settings: SETTINGS }));
  await stack.restartConnector();

  expect(await statusOf(token)).toBe(401);
  expect((await settings()).body).not.toContain('/settings/tokens');
  const answer = await browser.submit(before, { name: 'late', scope: 'irc:read', days: '30' }, '/settings/tokens');
  expect([answer.status, tokenIn(answer)]).toEqual([403, '']);
});

async function make(fields: Record<string, string | string[]>, of = browser): Promise<Page> {
  return of.submit(await settings(of), { days: '30', ...fields }, '/settings/tokens');
}

async function call(token: string, name: string, args: object = {}) {
  const answer = await postMcp(
    stack,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    { authorization: `Bearer ${token}` },
  );
  const body = (await answer.json()) as { result?: { structuredContent?: Record<string, unknown> } };
  return { status: answer.status, result: body.result?.structuredContent };
}
