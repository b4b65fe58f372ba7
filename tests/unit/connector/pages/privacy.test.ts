import { expect, test } from 'vitest';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { servePages } from '../../../harness/serve-pages.ts';

test('anybody may read what is kept, who sees it and how to end it', async () => {
  verifies('connector.endpoint.GET-privacy');
  await using pages = await servePages({ settings: { retention: { days: 30, entriesPerAccount: 12_000 } } });

  const answer = await fetch(`${pages.baseUrl}/privacy`);
  const body = await answer.text();

  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(body.match(/<h\d>[^<]+/g)).toEqual([
    '<h1>Privacy',
    '<h2>What is kept',
    '<h2>Who sees it',
    '<h2>How to end it',
  ]);
  expect(body).toContain('for 30 days, and at most the newest 12,000 entries');
});

for (const [adminEvents, words] of [
  [true, 'This is switched on here.'],
  [false, 'it is switched off here.'],
] as const) {
  test(`the page says whether owners see what agents do: ${adminEvents}`, async () => {
    await using pages = await servePages({ adminEvents });

    expect(await (await fetch(`${pages.baseUrl}/privacy`)).text()).toContain(words);
  });
}
