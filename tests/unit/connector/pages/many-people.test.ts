import { expect } from 'vitest';
import { pages, testWithPages } from '../../../harness/fixtures/pages.ts';
import { type SignedInPerson, servePages } from '../../../harness/serve-pages.ts';

const PEOPLE = 120;
const PAGE_MAX_BYTES = 200_000;
const CHANNELS = Array.from({ length: 200 }, (_, number) => `#channel-${String(number).padStart(3, '0')}`);

const test = testWithPages({ settings: { ownerLogins: ['ada'], ircChannels: CHANNELS, maxUsers: 1_000 } });

let ada: SignedInPerson;

test.beforeAll(async () => {
  ada = await pages.person('ada');
  for (let number = 1; number < PEOPLE; number += 1) {
    await pages.open.account(`person-${String(number).padStart(3, '0')}`, CHANNELS);
  }
});

async function settings(query = ''): Promise<string> {
  return (await fetch(`${pages.baseUrl}/settings${query}`, { headers: { cookie: ada.cookie } })).text();
}

const namesIn = (body: string): string[] => [...body.matchAll(/<strong>([^<]+)</g)].map(([, name]) => name ?? '');

/** Returns the address of the panel's link with these words. */
const linkIn = (body: string, words: string): string | undefined =>
  new RegExp(`href="([^"#]*)#people">${words}<`).exec(body)?.[1]?.replaceAll('&amp;', '&');

test('an owner of many people with many channels gets a page that is not long, and from there the others', async () => {
  const first = await settings();
  expect(Buffer.byteLength(first)).toBeLessThan(PAGE_MAX_BYTES);
  expect([namesIn(first).length, namesIn(first)[0], linkIn(first, 'Previous')]).toEqual([50, 'ada', undefined]);
  expect(first).toContain('1–50 of 120.');
  expect(first).toContain('#channel-019 and 180 more');

  const second = await settings(linkIn(first, 'Next')?.replace('/settings', ''));
  expect(second).toContain('51–100 of 120.');
  expect(linkIn(second, 'Previous')).toBe('/settings');
  const last = await settings(linkIn(second, 'Next')?.replace('/settings', ''));
  expect([namesIn(last).at(-1), linkIn(last, 'Next')]).toEqual(['person-119', undefined]);
});

test('an owner finds one person among many, and goes on through those who were found', async () => {
  const found = await settings('?who=PERSON-04');
  expect(namesIn(found)).toEqual(Array.from({ length: 10 }, (_, last) => `person-04${last}`));
  expect(found).toContain('1–10 of 10 who have “PERSON-04” in their login or nick.');
  expect(found).toMatch(/<input type="search"[^>]* value="PERSON-04"/);
  expect(linkIn(found, 'Show everybody')).toBe('/settings');

  expect(linkIn(await settings('?who=person-'), 'Next')).toBe('/settings?who=person-&people=2');
  const nobody = await settings('?who=%3Cb%3E');
  expect(namesIn(nobody)).toEqual([]);
  expect(nobody).toContain('Nobody has “&lt;b&gt;” in their login or nick.');
});

test('an address that asks for what there is not shows the people that there are', async () => {
  for (const [query, first] of [
    ['?people=0', 'ada'],
    ['?people=-1', 'ada'],
    ['?people=x', 'ada'],
    ['?people=2&people=3', 'ada'],
    ['?who=a&who=b', 'ada'],
    ['?people=999999', 'person-100'],
    [`?who=${'x'.repeat(5_000)}`, undefined],
  ] as const) {
    expect([query, namesIn(await settings(query))[0]]).toEqual([query, first]);
  }
});

test('there is no search where all people fit onto one page', async () => {
  await using few = await servePages({ settings: { ownerLogins: ['ada'] } });
  const { cookie } = await few.person('ada');

  const body = await (await fetch(`${few.baseUrl}/settings`, { headers: { cookie } })).text();

  expect(namesIn(body)).toEqual(['ada']);
  expect(body).not.toContain('role="search"');
});
