import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forms } from '../../../../src/connector/pages/forms.ts';
import { sourceFiles } from '../../../architecture/source-files.ts';
import { type ServedPages, servePages } from '../../../harness/serve-pages.ts';

/** Of each form: fields that are right, and fields that no page of ours sends. */
const FIELDS: Record<string, { right: Record<string, string>; wrong?: Record<string, string> }> = {
  '/settings': { right: { channel: '#room' }, wrong: { channel: `#${'x'.repeat(1_000)}` } },
  '/oauth/interaction/:uid': { right: { decision: 'allow' }, wrong: { decision: 'maybe' } },
  '/logout': { right: {} },
};

let pages: ServedPages;
let ada: Awaited<ReturnType<ServedPages['person']>>;

beforeAll(async () => {
  pages = await servePages();
  ada = await pages.person('ada');
});

afterAll(() => pages?.[Symbol.asyncDispose]());

const post = (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
  fetch(pages.baseUrl + path.replace(':uid', 'uid'), {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
    redirect: 'manual',
  });

/** Whether somebody is signed in with the cookie, what is selected and what was decided: all that forms can change. */
async function state(cookie: string) {
  const { status } = await fetch(`${pages.baseUrl}/settings`, { headers: { cookie }, redirect: 'manual' });
  return { status, grants: (await pages.open.store.accounts.find(ada.accountId))?.grants, decisions: pages.decisions };
}

test('every form of the source is one of those served, and every one of those is tried here', () => {
  const defined = sourceFiles('src/connector/pages').flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/= defineForm\(\{/g),
  ]);
  expect(forms).toHaveLength(defined.length);
  expect(forms.map(({ path }) => path).sort()).toEqual(Object.keys(FIELDS).sort());
});

for (const [path, { right, wrong }] of Object.entries(FIELDS)) {
  test(`a form sent to ${path} without proof that we made it changes nothing`, async () => {
    const before = await state(ada.cookie);
    const { cookie, csrf } = ada;
    const bob = await pages.person(`bob of ${path}`);

    expect((await post(path, right, { cookie })).status).toBe(403);
    expect((await post(path, { ...right, csrf: '' }, { cookie })).status).toBe(403);
    expect((await post(path, { ...right, csrf: bob.csrf }, { cookie })).status).toBe(403);
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await post(path, { ...right, csrf }, { cookie, 'sec-fetch-site': site })).status).toBe(403);
    }
    expect(await state(ada.cookie)).toEqual(before);
  });

  test(`a form sent to ${path} by nobody who is signed in leads to sign-in and changes nothing`, async () => {
    const before = await state(ada.cookie);

    for (const headers of [{}, { cookie: `__Host-homeport=${'a'.repeat(43)}` }]) {
      const answer = await post(path, { ...right, csrf: ada.csrf }, headers);
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toMatch(/^\/login/);
    }
    expect(await state(ada.cookie)).toEqual(before);
  });

  if (wrong !== undefined) {
    test(`a form sent to ${path} with a damaged field is refused with 400`, async () => {
      const before = await state(ada.cookie);

      const answer = await post(path, { ...wrong, csrf: ada.csrf }, { cookie: ada.cookie });

      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('A field of this form is missing or damaged');
      expect(await state(ada.cookie)).toEqual(before);
    });
  }

  test(`a form sent to ${path} from a page of ours does its work`, async () => {
    const eve = await pages.person(`eve of ${path}`);

    const answer = await post(
      path,
      { ...right, csrf: eve.csrf },
      { cookie: eve.cookie, 'sec-fetch-site': 'same-origin' },
    );

    expect(answer.status).toBe(303);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
}

test('signing out ends the session, and every cookie that came with it', async () => {
  const carol = await pages.person('carol');

  const answer = await post('/logout', { csrf: carol.csrf }, { cookie: carol.cookie });

  const ended = answer.headers.getSetCookie().filter((cookie) => cookie.includes('Expires=Thu, 01 Jan 1970'));
  expect(ended.map((cookie) => cookie.split('=')[0])).toEqual(['__Host-homeport', 'of-the-library']);
  expect((await state(carol.cookie)).status).toBe(303);
});
