import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { sendDownload } from '../../../../src/connector/pages/download.ts';
import { removeOwed } from '../../../../src/connector/upkeep/deletions.ts';
import { heard } from '../../../harness/mentions.ts';
import { capturedLine } from '../../../harness/open-store.ts';
import { servePages } from '../../../harness/serve-pages.ts';

test('the history of a person is a file of lines of JSON, which no other person gets', async () => {
  await using pages = await servePages();
  const guest = await pages.person('guest');
  const other = await pages.person('other');
  const lines = ['first', 'second'].map((text, at) => ({
    line: capturedLine(text, pages.open.clock.now() + at),
    own: undefined,
  }));
  await pages.open.store.capture.ingest(guest.accountId, 'main', { lines, isReplay: false, synced: new Set() });

  const answer = await fetch(`${pages.baseUrl}/settings/history.jsonl`, { headers: { cookie: guest.cookie } });

  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename=homeport-history.jsonl');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const texts = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text);
  expect(texts).toEqual(['first', 'second']);
  const elsewhere = await fetch(`${pages.baseUrl}/settings/history.jsonl`, { headers: { cookie: other.cookie } });
  expect(await elsewhere.text()).toBe('');
  const nobody = await fetch(`${pages.baseUrl}/settings/history.jsonl`, { redirect: 'manual' });
  expect([nobody.status, nobody.headers.get('location')?.startsWith('/login')]).toEqual([303, true]);
});

test('a history that can’t be read at all is answered by a page; one that breaks off is not a complete file', async () => {
  async function* broken(beforeIt: readonly string[]): AsyncGenerator<string> {
    yield* beforeIt;
    throw new Error('the database is gone');
  }
  const download = async (begun: readonly string[]) => {
    await using pages = await servePages({ played: { exportHistory: () => broken(begun) } });
    const { cookie } = await pages.person('guest');
    const headers = { cookie, accept: 'text/html' };
    const answer = await fetch(`${pages.baseUrl}/settings/history.jsonl`, { headers });
    return { status: answer.status, body: await answer.text() };
  };

  expect(await download([])).toMatchObject({ status: 500, body: expect.stringContaining('Something went wrong') });
  await expect(download(['{"a":1}\n', '{"a":2}\n'])).rejects.toThrow(/fetch failed|terminated/);
});

test('a browser that goes away ends the reading of the history', async () => {
  const ended = Promise.withResolvers<void>();
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield `${'x'.repeat(10_000)}\n`;
    } finally {
      ended.resolve();
    }
  }
  await using pages = await servePages({ played: { exportHistory: endless } });
  const { cookie } = await pages.person('guest');
  const leaving = new AbortController();

  const answer = await fetch(`${pages.baseUrl}/settings/history.jsonl`, {
    headers: { cookie },
    signal: leaving.signal,
  });
  await answer.body?.getReader().read();
  leaving.abort();

  await ended.promise;
});

test('a HEAD request for the file reads none of its entries', async () => {
  let parts = 0;
  async function* counted(): AsyncGenerator<string> {
    for (; parts < 100; ) {
      parts += 1;
      yield 'x\n';
    }
  }
  await using pages = await servePages({ played: { exportHistory: counted } });
  const { cookie } = await pages.person('guest');

  const answer = await fetch(`${pages.baseUrl}/settings/history.jsonl`, { method: 'HEAD', headers: { cookie } });

  expect([answer.status, parts]).toEqual([200, 1]);
});

test('a browser that takes no more of a file is given up, and its reading ends', async () => {
  const ended = Promise.withResolvers<void>();
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield 'x'.repeat(1_000_000);
    } finally {
      ended.resolve();
    }
  }
  const app = express();
  app.get('/file', (req, res) =>
    sendDownload(req, res, { fileName: 'file', type: 'text/plain', parts: endless() }, 200),
  );
  await using server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const browser = connect((server.address() as AddressInfo).port, '127.0.0.1');
  browser.on('error', () => undefined);
  browser.write('GET /file HTTP/1.1\r\nHost: homeport.example\r\n\r\n');
  await once(browser, 'readable');

  await ended.promise;
  browser.destroy();
});

test('a person who deletes their history while they download it reads what to wait for, and then that it is deleted', async () => {
  await using pages = await servePages();
  const { accountId, cookie, csrf } = await pages.person('guest');
  await heard(pages.open, accountId, ['kept so far'], '#room');
  const headers = { cookie, accept: 'text/html' };
  const post = () =>
    fetch(`${pages.baseUrl}/settings/history/delete`, {
      ...{ method: 'POST', headers, redirect: 'manual' },
      body: new URLSearchParams({ csrf }),
    });
  const settings = async () => (await fetch(`${pages.baseUrl}/settings?done=history`, { headers })).text();
  const reading = pages.services.exportHistory({ accountId, readerId: accountId })[Symbol.asyncIterator]();
  await reading.next();

  const refused = await post();
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([409, true]);
  expect(await refused.text()).toContain('You are downloading your history at this moment');
  const second = await fetch(`${pages.baseUrl}/settings/history.jsonl`, { headers });
  expect([second.status, Number(second.headers.get('retry-after')) > 0]).toEqual([409, true]);
  expect(await second.text()).toContain('You are downloading a history at this moment');
  await reading.return?.();

  expect((await post()).status).toBe(303);
  expect(await settings()).toContain('Your history is being deleted.');
  await removeOwed(pages.open.store.retention, new AbortController().signal);
  expect(await settings()).toContain('Your history is deleted.');
});
