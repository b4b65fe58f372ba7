import { expect } from 'vitest';
import type { CookieBrowser, Page } from '../../../harness/cookie-browser.ts';
import { oauth, testWithNewOauth } from '../../../harness/fixtures/oauth.ts';
import { authorization, registerClient } from '../../../harness/oauth-client.ts';

const test = testWithNewOauth();

test('a person whose account is removed just after they have pressed Allow reads that, and the app gets no code', async () => {
  const page = await allowedWhile((accountId) => oauth.opened.store.removals.close(accountId));

  expect([page.status, page.body]).toEqual([400, expect.stringContaining('an owner has removed this account')]);
  expect(page.url.searchParams.get('code')).toBeNull();
});

test('an app whose access a person ends just after they have allowed it learns so', async () => {
  const page = await allowedWhile((accountId) => oauth.consents.endAccount(accountId));

  const { searchParams } = page.url;
  expect([searchParams.get('error'), searchParams.get('error_description'), searchParams.get('code')]).toEqual([
    'access_denied',
    'the person has ended this access',
    null,
  ]);
});

/** Ada presses Allow, and `meanwhile` happens once her consent is stored. Gives the page at which her browser ends. */
async function allowedWhile(meanwhile: (accountId: string) => Promise<unknown>): Promise<Page> {
  const clientId = await registerClient(oauth);
  const browser: CookieBrowser = await oauth.signIn('ada');
  browser.stopAt = (to) => to.origin !== oauth.baseUrl;
  const page = await browser.open(authorization(oauth, clientId).url.href);
  const { begin } = oauth.consents;
  oauth.consents.begin = async (consent) => {
    await begin(consent);
    await meanwhile(consent.accountId);
  };
  return browser.submit(page, { decision: 'allow' });
}
