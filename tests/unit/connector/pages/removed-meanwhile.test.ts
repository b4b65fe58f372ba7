import { expect } from 'vitest';
import { ConnectorError } from '../../../../src/connector/errors.ts';
import { pages, testWithNewPages } from '../../../harness/fixtures/pages.ts';
import type { SignedInPerson } from '../../../harness/serve-pages.ts';

const test = testWithNewPages();

let bob: SignedInPerson;

test.beforeEach(async () => {
  bob = await pages.person('bob');
});

const CONSENT = '/oauth/interaction/one';

for (const isGone of [false, true]) {
  for (const [what, path, fields] of [
    ['opens the consent page', CONSENT, undefined],
    ['presses Allow with nothing ticked', CONSENT, { decision: 'allow' }],
    ['opens the settings', '/settings', undefined],
    ['saves channels', '/settings', { channel: '#room' }],
    ['changes the nick', '/settings/nick', { nick: 'robert' }],
  ] as const) {
    test(`a person whose account is ${isGone ? 'gone' : 'removed'} while they do this reads what happened: ${what}`, async () => {
      await removeAfterSession(isGone);

      const answer = await fetch(pages.baseUrl + path, {
        ...(fields === undefined ? {} : { method: 'POST', body: new URLSearchParams({ csrf: bob.csrf, ...fields }) }),
        headers: { cookie: bob.cookie },
        redirect: 'manual',
      });

      expect(answer.status).toBe(403);
      const body = await answer.text();
      expect(body).toContain('Your access has ended');
      expect(body).toContain('An owner has removed this account');
      expect(body).toContain('href="/login"');
    });
  }

  test(`no consent is stored and no browser is signed in for an account that is ${isGone ? 'gone' : 'removed'}`, async () => {
    await removeAfterSession(isGone);
    const { accountId } = bob;
    const consent = {
      accountId,
      clientId: 'client',
      clientName: 'A client',
      scopes: ['irc:read'],
      grantHash: 'one',
    } as const;

    for (const attempt of [
      pages.open.consents.begin({ ...consent, scopes: [...consent.scopes] }),
      pages.open.store.browserSessions.create(accountId),
    ]) {
      const error: unknown = await attempt.then(
        () => undefined,
        (refusal: unknown) => refusal,
      );
      expect(error).toBeInstanceOf(ConnectorError);
      expect(error).toMatchObject({ code: 'account_removed' });
    }
    expect(await pages.open.consents.ofAccount(accountId)).toEqual([]);
  });
}

/** An owner removes bob after a request of his was let in: his browser's session was read before it ended. */
async function removeAfterSession(isGone: boolean): Promise<void> {
  await pages.open.store.removals.close(bob.accountId);
  const { browserSessions } = pages.open.store;
  if (isGone) await pages.open.store.removals.finish(bob.accountId);
  browserSessions.use = async () => ({ accountId: bob.accountId, csrfToken: bob.csrf });
}
