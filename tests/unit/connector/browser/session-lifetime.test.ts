import { expect } from 'vitest';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { pages, testWithNewPages } from '../../../harness/fixtures/pages.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SEE_OTHER = 303;

const test = testWithNewPages();

test('a browser session ends twelve hours after its last use', async () => {
  verifies('connector.lifetime.browser-session');
  const { cookie } = await pages.person('ada');

  expect(await settings(cookie, 12 * HOUR_MS - MINUTE_MS)).toBe(200);
  expect(await settings(cookie, 12 * HOUR_MS - MINUTE_MS)).toBe(200);
  expect(await settings(cookie, 12 * HOUR_MS + MINUTE_MS)).toBe(SEE_OTHER);
});

test('a browser session that is used all the time ends after thirty days', async () => {
  verifies('connector.lifetime.browser-session');
  const { cookie } = await pages.person('ada');

  // These uses take 719 of 720 hours.
  for (let use = 0; use < 65; use += 1) expect(await settings(cookie, 11 * HOUR_MS)).toBe(200);
  expect(await settings(cookie, 4 * HOUR_MS)).toBe(200);
  expect(await settings(cookie, HOUR_MS - MINUTE_MS)).toBe(200);
  expect(await settings(cookie, 2 * MINUTE_MS)).toBe(SEE_OTHER);
});

async function settings(cookie: string, afterMs: number): Promise<number> {
  pages.open.clock.set(pages.open.clock.now() + afterMs);
  return (await fetch(`${pages.baseUrl}/settings`, { headers: { cookie }, redirect: 'manual' })).status;
}
