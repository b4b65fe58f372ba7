import { expect, test } from 'vitest';
import { capturedLine } from '../../../harness/open-store.ts';
import { servePages } from '../../../harness/serve-pages.ts';

test('the history of a person is a file of lines of JSON, which nobody else gets', async () => {
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

test('a history that can’t be read at all is answered by a page; one that breaks off is no complete file', async () => {
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

test('whoever asks only about the file reads nothing of it', async () => {
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
