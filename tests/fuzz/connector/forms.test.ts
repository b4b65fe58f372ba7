import fc from 'fast-check';
import { expect } from 'vitest';
import { forms } from '../../../src/connector/pages/forms.ts';
import { pages, testWithPages } from '../../harness/fixtures/pages.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import type { SignedInPerson } from '../../harness/serve-pages.ts';

/** Use cases that pages call without changing anything. */
const READING: ReadonlySet<string> = new Set([
  'account',
  'isOwner',
  'ircStatus',
  'networks',
  'agents',
  'subscriptions',
  'people',
  'requireOwner',
]);

/** Text that would be an element if a page took it as it is. */
const ELEMENT = '<fuzz';

const NAMES = [
  'csrf',
  'channel',
  'nick',
  'network',
  'login',
  'consent',
  'subscription',
  'decision',
  'scope',
  '__proto__',
];

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 20 }).map((around) => `${around}${ELEMENT} a="'>${around}`),
  fc.constantFrom('#room', '#ops', 'ada', 'main', 'allow', 'irc:read', '\r\n', '\0', '%00'),
);
const fields = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 5 })), text), {
  maxLength: 8,
});
const written = fields.map((pairs) => new URLSearchParams(pairs).toString());
/** Bodies that browsers never write. */
const raw = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(
    '%',
    'channel=%E0%A4%A',
    'channel[]=#room',
    'channel[a][b]=1',
    '&&&&',
    '='.repeat(2_000),
    'a&'.repeat(2_000),
  ),
);

const path = fc
  .constantFrom(...forms.map((form) => form.path).filter((each) => each !== '/logout'))
  .chain((pattern) => fc.constantFrom('target', 'nobody', '..', '%00').map((id) => pattern.replace(/:\w+/, id)));

const test = testWithPages();

let ada: SignedInPerson;
let target: SignedInPerson;

test.beforeAll(async () => {
  ada = await pages.person('ada');
  target = await pages.person('target');
});

test('whatever a form carries, the answer is a page or another address, without an element of the sender’s', async () => {
  await fc.assert(
    fc.asyncProperty(path, fc.oneof({ weight: 4, arbitrary: written }, raw), async (to, body) => {
      const answer = await post(to, `csrf=${ada.csrf}&${body}`);
      const shown = await answer.text();

      expect(answer.status).toBeLessThan(500);
      expect(shown).not.toContain(ELEMENT);
      if (answer.status === 303)
        expect(answer.headers.get('location')).toMatch(
          /^(?:\/settings\?done=[\w-]+#\w+|https:\/\/agent\.example\/callback)$/,
        );
      else expect(shown).toMatch(/^<!doctype html>/);
    }),
    { numRuns: fuzzRuns(500) },
  );
});

test('whatever a form carries, without the proof of its session it changes nothing', async () => {
  const before = pages.decisions.length;
  await fc.assert(
    fc.asyncProperty(path, fc.oneof({ weight: 4, arbitrary: written }, raw), async (to, body) => {
      pages.calls.length = 0;
      const answer = await post(to, body);

      expect(answer.status).toBeLessThan(500);
      expect(pages.calls.filter((call) => !READING.has(call))).toEqual([]);
      expect(pages.decisions).toHaveLength(before);
    }),
    { numRuns: fuzzRuns(500) },
  );
});

function post(to: string, body: string) {
  return fetch(pages.baseUrl + to.replace('target', target.accountId), {
    method: 'POST',
    body,
    headers: { cookie: ada.cookie, accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    redirect: 'manual',
  });
}
