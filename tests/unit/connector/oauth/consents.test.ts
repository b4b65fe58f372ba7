import { expect } from 'vitest';
import { DAY_MS } from '../../../../src/connector/domain/limits.ts';
import { clientId, oauth, testWithNewClient } from '../../../harness/fixtures/oauth.ts';
import { authorization, codeFor, redeem, refresh, registerClient } from '../../../harness/oauth-client.ts';

const HOUR_MS = 3_600_000;

const test = testWithNewClient({ client_name: 'Paper boat' });

const tokensOf = async (login: string) => redeem(oauth, clientId, await codeFor(oauth, login, clientId));
const consentsOf = (login: string) => oauth.consents.ofAccount(oauth.accountOf(login));

test('a consent is a row: person, client, scopes, since when and when last used', async () => {
  const allowedAt = oauth.opened.clock.now();
  const { refresh_token: token } = await tokensOf('ada');
  oauth.pass(2 * HOUR_MS);
  await refresh(oauth, clientId, token);

  expect(await consentsOf('ada')).toEqual([
    {
      consentId: expect.stringMatching(/^con_/),
      accountId: oauth.accountOf('ada'),
      clientId,
      clientName: 'Paper boat',
      givenName: null,
      scopes: ['irc:read', 'irc:write'],
      createdAt: allowedAt,
      lastUsedAt: allowedAt + 2 * HOUR_MS,
    },
  ]);
});

test('a consent that is ended ends its access and refresh tokens at once, also those in memory', async () => {
  const first = await tokensOf('ada');
  const second = await refresh(oauth, clientId, first.refresh_token);
  // The first use puts everything into the caches that can be there.
  for (const token of [first.access_token, second.access_token]) expect(await oauth.verify(token)).toBeDefined();
  const [consent] = await consentsOf('ada');

  expect(await oauth.consents.end(oauth.accountOf('ada'), consent?.consentId ?? '')).toBe(true);

  for (const token of [first.access_token, second.access_token]) expect(await oauth.verify(token)).toBeUndefined();
  expect(await refresh(oauth, clientId, second.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect([await consentsOf('ada'), await recordCount()]).toEqual([[], 0]);
});

test('a consent ends only for the account it is of, and other consents stay', async () => {
  const ada = await tokensOf('ada');
  const bob = await tokensOf('bob');
  const [consent] = await consentsOf('ada');

  expect(await oauth.consents.end(oauth.accountOf('bob'), consent?.consentId ?? '')).toBe(false);
  expect(await oauth.verify(ada.access_token)).toBeDefined();
  await oauth.consents.end(oauth.accountOf('ada'), consent?.consentId ?? '');

  expect([await oauth.verify(ada.access_token), await consentsOf('bob')]).toEqual([undefined, [expect.anything()]]);
  expect(await oauth.verify(bob.access_token)).toBeDefined();
});

test('a client whose consent ends while it refreshes gets no token', async () => {
  const { refresh_token: token } = await tokensOf('ada');
  const { redeem: store } = oauth.records;
  // The answer is complete, but not stored yet.
  oauth.records.redeem = async (redemption) => {
    const [consent] = await consentsOf('ada');
    await oauth.consents.end(oauth.accountOf('ada'), consent?.consentId ?? '');
    return store(redemption);
  };
  const late = await refresh(oauth, clientId, token);
  oauth.records.redeem = store;

  expect(late).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(late).not.toHaveProperty('access_token');
  expect([await consentsOf('ada'), await recordCount()]).toEqual([[], 0]);
});

test('all that a person allowed a client ends at once, also what is in memory, and other clients’ stays', async () => {
  const other = await registerClient(oauth);
  const [first, second] = [await tokensOf('ada'), await tokensOf('ada')];
  const kept = await redeem(oauth, other, await codeFor(oauth, 'ada', other));
  for (const { access_token: token } of [first, second, kept]) expect(await oauth.verify(token)).toBeDefined();

  await oauth.consents.endClient(oauth.accountOf('ada'), clientId);

  for (const { access_token: token } of [first, second]) expect(await oauth.verify(token)).toBeUndefined();
  expect(await refresh(oauth, clientId, second.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  expect(await oauth.verify(kept.access_token)).toBeDefined();
  await oauth.consents.endAccount(oauth.accountOf('ada'));
  expect([await oauth.verify(kept.access_token), await recordCount()]).toEqual([undefined, 0]);
});

test('a client that revokes its token gives back its consent', async () => {
  const { refresh_token: token } = await tokensOf('ada');

  await fetch(`${oauth.baseUrl}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, token }),
  });

  expect([await consentsOf('ada'), await recordCount()]).toEqual([[], 0]);
});

test('consents that were not used for thirty days are removed with all that they granted', async () => {
  await tokensOf('ada');
  oauth.pass(15 * DAY_MS);
  await tokensOf('bob');
  oauth.pass(15 * DAY_MS + 1);

  expect(await consentsOf('ada')).toEqual([]);
  expect(await oauth.consents.removeEnded(10)).toBe(1);
  expect(await oauth.consents.removeEnded(10)).toBe(0);

  const rows = await oauth.opened.database('consents').select('account_id');
  expect(rows).toEqual([{ account_id: oauth.accountOf('bob') }]);
});

test('an account that is removed takes its consents, grants and tokens with it', async () => {
  const { access_token: token } = await tokensOf('ada');
  await oauth.opened.database('accounts').where('account_id', oauth.accountOf('ada')).delete();
  await oauth.restart();

  expect(await oauth.verify(token)).toBeUndefined();
  while ((await oauth.records.removeEnded(10)) > 0);
  const grants = await oauth.opened.database('oauth_records').where('kind', 'Grant');
  expect(grants).toEqual([]);
});

test.each(['at the same time', 'one after the other'])(
  'a person who allows a client twice by the same page, %s, has allowed it once',
  async (how) => {
    const { url, verifier } = authorization(oauth, clientId);
    const browser = await oauth.signIn('ada');
    browser.stopAt = (to) => to.origin !== oauth.baseUrl;
    const page = await browser.open(url.href);
    const allow = () =>
      browser.fetch(page.url.href, { method: 'POST', body: new URLSearchParams({ decision: 'allow' }) });
    const answers = how === 'at the same time' ? await Promise.all([allow(), allow()]) : [await allow(), await allow()];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const callback = await browser.open(new URL(answers[1]?.headers.get('location') ?? '', oauth.baseUrl).href);
    const tokens = await redeem(oauth, clientId, { code: callback.url.searchParams.get('code') ?? '', verifier });

    expect(await consentsOf('ada')).toHaveLength(1);
    expect(await oauth.verify(tokens.access_token)).toBeDefined();
  },
);

async function recordCount(): Promise<number> {
  const rows = await oauth.opened.database('oauth_records').whereNotNull('grant_hash').select('kind');
  return rows.length;
}
