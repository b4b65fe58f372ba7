import { expect, test } from 'vitest';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { servePages } from '../../../harness/serve-pages.ts';

test('anybody may read what is kept, who sees it and how to end it', async () => {
  verifies('connector.endpoint.GET-privacy');
  await using pages = await servePages();

  const answer = await fetch(`${pages.baseUrl}/privacy`);
  const body = await answer.text();

  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(body.match(/<h\d>[^<]+/g)).toEqual([
    '<h1>Privacy',
    '<h2>What is kept',
    '<h2>Who sees it',
    '<h2>How to end it',
  ]);
});
