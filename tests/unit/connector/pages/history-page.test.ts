import { expect } from 'vitest';
import { pages, testWithPages } from '../../../harness/fixtures/pages.ts';
import { capturedLine } from '../../../harness/open-store.ts';
import type { SignedInPerson } from '../../../harness/serve-pages.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 31, 23, 59, 0);

const test = testWithPages();

let ada: SignedInPerson;
let bob: SignedInPerson;

test.beforeAll(async () => {
  pages.open.clock.set(START + DAY_MS);
  [ada, bob] = [await pages.person('ada'), await pages.person('bob')];
  await hear(
    ada,
    Array.from({ length: 230 }, (_, n) => `line ${n}`),
  );
  await hear(ada, ['<script>alert(1)</script> deploy', 'the deploy is done'], '#ops');
  await hear(bob, ['of bob: deploy']);
});

const linesIn = (body: string): number[] => [...body.matchAll(/> line (\d+)</g)].map(([, n]) => Number(n));
const olderIn = (body: string): string | undefined => /href="([^"]+)">Older</.exec(body)?.[1]?.replaceAll('&amp;', '&');

test('a person reads a channel newest first, page by page, each entry once', async () => {
  const seen: number[] = [];
  let next: string | undefined = '/history?channel=%23room';
  for (let count = 0; next !== undefined; count += 1) {
    expect(count).toBeLessThan(5);
    const { status, body, headers } = await open(next);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    seen.push(...linesIn(body));
    next = olderIn(body);
  }

  expect(seen).toEqual(Array.from({ length: 230 }, (_, n) => 229 - n));
});

test('a day shows what happened on it alone', async () => {
  const { body } = await open('/history?channel=%23room&day=2026-01-31');
  expect(linesIn(body)).toEqual(Array.from({ length: 60 }, (_, n) => 59 - n));
  const next = await open('/history?channel=%23room&day=2026-02-01');
  expect(linesIn(next.body)).toHaveLength(100);
  expect(linesIn((await open('/history?channel=%23room&day=2020-01-01')).body)).toEqual([]);
});

test('a day and its times are those of the zone that the browser names', async () => {
  const cookie = `${ada.cookie}; __Host-zone=Europe%2FBerlin`;
  const { body } = await open('/history?channel=%23room&day=2026-02-01', { cookie });
  expect(linesIn(body)[0]).toBe(229);
  expect(body).toContain('<time datetime="2026-02-01T00:02:49.000Z">01:02:49</time>');
  expect(body).toContain('Day in Europe/Berlin');
  expect(linesIn((await open('/history?channel=%23room&day=2026-01-31', { cookie })).body)).toEqual([]);
  for (const day of ['0000-01-01', '9999-12-31']) {
    expect((await open(`/history?channel=%23room&day=${day}`, { cookie })).status).toBe(200);
  }
});

test('each entry has an address, at which it is the first', async () => {
  const { body } = await open('/history?channel=%23room');
  const row = body.split('<li ').find((part) => part.includes('> line 200<')) ?? '';
  const [, id = ''] = /id="([^"]+)"/.exec(row) ?? [];
  const [, href = ''] = /href="([^"]+)"/.exec(row) ?? [];
  expect(href.endsWith(`#${id}`)).toBe(true);

  const there = await open(href.replaceAll('&amp;', '&').split('#')[0] ?? '');

  expect(linesIn(there.body)[0]).toBe(200);
  expect(there.body).toContain(`id="${id}"`);
});

test('a link to an entry that retention has removed says so, and leads to its channel', async () => {
  const { status, body } = await open('/history?channel=%23room&at=ent_gone');
  expect(status).toBe(404);
  expect(body).toContain('This entry is not kept any more');
  const [, href = ''] = /href="([^"]+)"[^>]*>Go to the channel/.exec(body) ?? [];
  expect(linesIn((await open(href.replaceAll('&amp;', '&'))).body)[0]).toBe(229);
});

test('each of hundreds of entries of one moment has its address, too', async () => {
  const carol = await pages.person('carol');
  const texts = Array.from({ length: 250 }, (_, n) => `line ${n}`);
  const lines = texts.map((text) => ({
    line: { ...capturedLine(text, START), fingerprintBase: text },
    own: undefined,
  }));
  await pages.open.store.capture.ingest(carol.accountId, 'main', { lines, isReplay: false, synced: new Set() });
  const { entries } = await pages.services.readHistory(
    { accountId: carol.accountId, clientId: '' },
    { channel: '#room', mode: 'recent', limit: 200 },
  );
  const oldest = entries.at(-1);

  const { body } = await open(`/history?channel=%23room&at=${oldest?.entryId}`, carol);

  expect(linesIn(body)[0]).toBe(Number(oldest?.text.slice('line '.length)));
  const next = await open(olderIn(body) ?? '', carol);
  expect(linesIn(next.body)).toEqual([]);
});

test('words are found in all channels of the person or in one, and shown as text', async () => {
  const { body } = await open('/history?search=deploy');
  expect(body).toContain('the deploy is done');
  expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt; deploy');
  expect(body).not.toContain('of bob');
  expect((await open('/history?search=deploy&channel=%23room')).body).toContain('Nothing here.');
});

test('a visitor without a sign-in signs in first, and no person reads another’s history', async () => {
  const answer = await fetch(`${pages.baseUrl}/history`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login/idp?next=%2Fhistory']);
  const { body } = await open('/history?channel=%23room', bob);
  expect([linesIn(body), body.includes('of bob: deploy')]).toEqual([[], true]);
  const token = new URL(olderIn((await open('/history?channel=%23room')).body) ?? '', pages.baseUrl).searchParams;
  const other = await open(`/history?channel=%23room&page=${encodeURIComponent(token.get('page') ?? '')}`, bob);
  expect([other.status, linesIn(other.body)]).toEqual([400, []]);
});

test.each([
  ['a link to an entry', '/history?channel=%23room&at=ent_abc', '/history?channel=%23room&at=ent_abc'],
  ['a search', '/history?search=two+words', '/history?search=two+words'],
  ['a search that is too long to be kept', `/history?search=${'x'.repeat(1_000)}`, '/history'],
])('who opens %s without being signed in is there after the sign-in', async (_, path, there) => {
  const go = (to: string, headers = {}) => fetch(new URL(to, pages.baseUrl), { headers, redirect: 'manual' });
  const location = (answer: Response) => answer.headers.get('location') ?? '';
  const begun = await go(location(await go(path)));
  const cookie = begun.headers.getSetCookie().map((each) => each.split(';')[0]);

  expect(location(await go(location(begun), { cookie: cookie.join('; ') }))).toBe(there);
});

test.each([
  ['/history?channel=%23nowhere', 404],
  ['/history?page=made-up', 400],
  ['/history?day=yesterday', 200],
  ['/history?day=2026-02-31', 200],
  ['/history?day=9999-12-31', 200],
  ['/history?day=0000-01-01T00:00%2B10:00', 200],
  ['/history?day=ent_made-up', 200],
  ['/history?before=never&search=', 200],
  ['/history?at=2026-01-31', 200],
  ['/history?at=<script>', 200],
  ['/history?search=%00', 200],
  [`/history?search=${'x'.repeat(500)}`, 200],
  ['/history?channel=%23room&channel=%23ops', 200],
])('%s is a page, with the status %i', async (path, status) => {
  const answer = await open(path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
});

test('a person without a channel learns what to do', async () => {
  const eve = await pages.person('eve');
  await pages.services.enableChannels(eve.accountId, []);
  expect((await open('/history', eve)).body).toContain('No channel is enabled');
});

test('a name with characters that are not seen does not look like another name', async () => {
  const dora = await pages.person('dora');
  const names = ['ada\u200b', 'ada\u00a0', 'a\u200dda'];
  const lines = names.map((sender, n) => ({
    line: { ...capturedLine('hello', START + n), sender, fingerprintBase: sender },
    own: undefined,
  }));
  await pages.open.store.capture.ingest(dora.accountId, 'main', { lines, isReplay: false, synced: new Set() });

  const { body } = await open('/history?channel=%23room', dora);

  const shown = [...body.matchAll(/<strong>([^<]*)<\/strong>/g)].map(([, name]) => name);
  expect(shown).toEqual(['a\ufffdda', 'ada\ufffd', 'ada\ufffd']);
});

async function hear(of: SignedInPerson, texts: readonly string[], channel = '#room'): Promise<void> {
  const lines = texts.map((text, n) => ({ line: capturedLine(text, START + n * 1_000, channel), own: undefined }));
  await pages.open.store.capture.ingest(of.accountId, 'main', { lines, isReplay: false, synced: new Set() });
}

async function open(path: string, { cookie }: { cookie: string } = ada) {
  const answer = await fetch(pages.baseUrl + path, { headers: { cookie }, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}
