import { expect } from 'vitest';
import { secretHash } from '../../../../src/connector/domain/ids.ts';
import { DAY_MS } from '../../../../src/connector/domain/limits.ts';
import { clientId, oauth, testWithNewClient } from '../../../harness/fixtures/oauth.ts';
import { codeFor, redeem, refresh, registerClient } from '../../../harness/oauth-client.ts';

const test = testWithNewClient({ client_name: 'Paper boat' });

const tokensOf = async (login: string) => redeem(oauth, clientId, await codeFor(oauth, login, clientId));
const consentsOf = (login: string) => oauth.consents.ofAccount(oauth.accountOf(login));
const grants = () => oauth.opened.database('oauth_records').where('kind', 'Grant');

test('a grant of an earlier version becomes a consent, and its tokens stay good', async () => {
  const allowedAt = oauth.opened.clock.now();
  const first = await tokensOf('ada');
  oauth.pass(3 * DAY_MS);
  const second = await refresh(oauth, clientId, first.refresh_token);
  await forgetConsents();

  await oauth.restart();

  expect(await oauth.verify(second.access_token)).toBeDefined();
  expect(await consentsOf('ada')).toMatchObject([
    {
      clientId,
      clientName: 'Paper boat',
      scopes: ['irc:read', 'irc:write'],
      createdAt: allowedAt,
      lastUsedAt: allowedAt + 3 * DAY_MS,
    },
  ]);
  expect((await refresh(oauth, clientId, second.refresh_token)).status).toBe(200);
});

test('a grant that an earlier version would have cut off lives as long as its refresh token', async () => {
  const first = await tokensOf('ada');
  oauth.pass(29 * DAY_MS);
  const second = await refresh(oauth, clientId, first.refresh_token);
  await forgetConsents();
  oauth.pass(2 * DAY_MS);

  await oauth.restart();

  const third = await refresh(oauth, clientId, second.refresh_token);
  oauth.pass(29 * DAY_MS);
  expect([third.status, (await refresh(oauth, clientId, third.refresh_token)).status]).toEqual([200, 200]);
});

test('a consent that has ended is not taken over again by the next start', async () => {
  await tokensOf('ada');
  await forgetConsents();
  await oauth.restart();
  const [adopted] = await consentsOf('ada');
  await oauth.restart();
  expect(await consentsOf('ada')).toEqual([adopted]);

  await oauth.consents.end(oauth.accountOf('ada'), adopted?.consentId ?? '');
  await oauth.restart();

  expect(await consentsOf('ada')).toEqual([]);
});

test('grants of removed accounts and grants that other keys sealed do not keep the program from starting', async () => {
  await tokensOf('ada');
  await tokensOf('bob');
  await tokensOf('eve');
  await forgetConsents();
  const [bob, eve] = [oauth.accountOf('bob'), oauth.accountOf('eve')];
  await oauth.opened.database('accounts').where('account_id', eve).delete();
  const { grant_hash: hash } = await grants().orderBy('id_hash').first();
  await grants()
    .where('grant_hash', hash)
    .update({ payload_sealed: 'x'.repeat(80) });

  await oauth.restart();

  const accounts = await oauth.opened.database('consents').pluck('account_id');
  expect(accounts.length).toBeGreaterThan(0);
  expect([oauth.accountOf('ada'), bob]).toEqual(expect.arrayContaining(accounts));
});

test('a client whose consent is adopted stays, one that was never authorised ends like a new one', async () => {
  await tokensOf('ada');
  await registerClient(oauth);
  await forgetConsents();
  // The migration leaves all clients of earlier versions with such an end.
  const clients = () => oauth.opened.database('oauth_records').where('kind', 'Client');
  await clients().update({ expires_at: oauth.opened.clock.now() + DAY_MS });

  await oauth.restart();
  oauth.pass(DAY_MS + 1);

  while ((await oauth.records.removeEnded(10)) > 0);
  expect(await clients().pluck('id_hash')).toEqual([secretHash(clientId)]);
});

/** The database as versions without consents left it: a grant had a term of thirty days. */
async function forgetConsents(): Promise<void> {
  const rows: { grant_hash: string; created_at: number }[] = await oauth.opened.database('consents');
  for (const { grant_hash: hash, created_at: at } of rows) {
    await grants()
      .where('grant_hash', hash)
      .update({ expires_at: Number(at) + 30 * DAY_MS });
  }
  await oauth.opened.database('consents').delete();
}
