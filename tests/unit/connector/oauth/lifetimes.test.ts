import { expect } from 'vitest';
import { DAY_MS } from '../../../../src/connector/domain/limits.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { clientId, oauth, testWithNewClient } from '../../../harness/fixtures/oauth.ts';
import { codeFor, postToken, redeem, refresh, registerClient } from '../../../harness/oauth-client.ts';

const MINUTE_MS = 60_000;

const test = testWithNewClient();

const firstTokens = async () => redeem(oauth, clientId, await codeFor(oauth, 'ada', clientId));

test('refreshes on days 10, 20, 29, 31 and 60 work, and thirty idle days end them', async () => {
  verifies('connector.lifetime.refresh-token');
  let { refresh_token: token } = await firstTokens();
  let day = 0;
  for (const next of [10, 20, 29, 31, 60]) {
    oauth.pass((next - day) * DAY_MS);
    day = next;
    const answer = await refresh(oauth, clientId, token);
    expect([next, answer.status]).toEqual([next, 200]);
    expect(await oauth.verify(answer.access_token)).toMatchObject({ scopes: ['irc:read', 'irc:write'] });
    token = answer.refresh_token;
  }

  oauth.pass(30 * DAY_MS);

  expect(await refresh(oauth, clientId, token)).toMatchObject({ status: 400, error: 'invalid_grant' });
});

test('a client that comes a minute before thirty idle days are over still refreshes, also after a restart', async () => {
  const first = await firstTokens();
  oauth.pass(30 * DAY_MS - MINUTE_MS);
  const second = await refresh(oauth, clientId, first.refresh_token);
  await oauth.restart();
  oauth.pass(30 * DAY_MS - MINUTE_MS);

  expect([second.status, (await refresh(oauth, clientId, second.refresh_token)).status]).toEqual([200, 200]);
});

test('an access token ends after an hour', async () => {
  verifies('connector.lifetime.access-token', 'connector.error.401');
  const { access_token: token } = await firstTokens();
  oauth.pass(59 * MINUTE_MS);
  expect(await oauth.verify(token)).toBeDefined();

  oauth.pass(2 * MINUTE_MS);

  expect(await oauth.verify(token)).toBeUndefined();
});

test('a refresh that is under way when its family ends does not bring the family back', async () => {
  const first = await firstTokens();
  const second = await refresh(oauth, clientId, first.refresh_token);
  // One of them ends the family, whichever comes first.
  const reuses = [first, second, first, second].map(({ refresh_token: token }) => refresh(oauth, clientId, token));
  const good = (await Promise.all(reuses)).filter(({ status }) => status === 200);
  await refresh(oauth, clientId, first.refresh_token);

  for (const answer of good) {
    expect(await refresh(oauth, clientId, answer.refresh_token)).toMatchObject({ error: 'invalid_grant' });
    expect(await oauth.verify(answer.access_token)).toBeUndefined();
  }
  expect(await oauth.consents.ofAccount(oauth.accountOf('ada'))).toEqual([]);
});

const SECOND_MS = 1_000;

test('a client that lost the answer gets it again within a minute, also after a restart', async () => {
  const first = await firstTokens();
  const lost = await refresh(oauth, clientId, first.refresh_token);
  oauth.pass(30 * SECOND_MS);
  await oauth.restart();
  oauth.pass(29 * SECOND_MS);

  const again = await refresh(oauth, clientId, first.refresh_token);

  expect(again).toMatchObject({
    ...{ status: 200, access_token: lost.access_token, refresh_token: lost.refresh_token },
    ...{ scope: lost.scope, expires_in: 3_600 - 59 },
  });
  expect(await oauth.verify(again.access_token)).toBeDefined();
  expect((await refresh(oauth, clientId, again.refresh_token)).status).toBe(200);
});

test('after a minute the same ends the family, although the successor was never used', async () => {
  const first = await firstTokens();
  const second = await refresh(oauth, clientId, first.refresh_token);
  oauth.pass(60 * SECOND_MS);

  expect(await refresh(oauth, clientId, first.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await oauth.verify(second.access_token)).toBeUndefined();
  expect(await oauth.consents.ofAccount(oauth.accountOf('ada'))).toEqual([]);
});

test.each([
  ['back by an hour', -3_600],
  ['back by half a minute', -30],
  ['forward by an hour', 3_600],
])(
  'a clock that is set %s changes the minute by nothing: a client gets its answer again, and a thief nothing after it',
  async (_, seconds) => {
    const first = await firstTokens();
    const second = await refresh(oauth, clientId, first.refresh_token);
    oauth.setClock(seconds * SECOND_MS);
    oauth.pass(59 * SECOND_MS);
    expect(await refresh(oauth, clientId, first.refresh_token)).toMatchObject({
      status: 200,
      refresh_token: second.refresh_token,
    });

    oauth.pass(2 * SECOND_MS);

    expect(await refresh(oauth, clientId, first.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await oauth.consents.ofAccount(oauth.accountOf('ada'))).toEqual([]);
  },
);

test('after a restart a use from before the clock was set back by more than a minute is not repeated', async () => {
  const first = await firstTokens();
  await refresh(oauth, clientId, first.refresh_token);
  oauth.setClock(-3_600 * SECOND_MS);
  await oauth.restart();

  expect(await refresh(oauth, clientId, first.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await oauth.consents.ofAccount(oauth.accountOf('ada'))).toEqual([]);
});

test('only the same client, for the same resource and before the consent ends, gets the successor', async () => {
  const first = await firstTokens();
  const second = await refresh(oauth, clientId, first.refresh_token);
  const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: first.refresh_token };

  expect(await refresh(oauth, await registerClient(oauth), first.refresh_token)).toMatchObject({
    error: 'invalid_grant',
  });
  expect(await postToken(oauth, { ...fields, resource: 'https://evil.example' })).toMatchObject({
    error: 'invalid_target',
  });
  expect(await postToken(oauth, { ...fields, scope: 'irc:admin' })).toMatchObject({ error: 'invalid_scope' });
  expect(await oauth.verify(second.access_token)).toBeDefined();
  const text = JSON.stringify(await oauth.opened.database('oauth_records').select());
  for (const token of [second.access_token, second.refresh_token]) expect(text).not.toContain(token);

  await oauth.consents.endClient(oauth.accountOf('ada'), clientId);
  expect(await refresh(oauth, clientId, first.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  expect(await oauth.opened.database('oauth_records').where('kind', 'Successor')).toEqual([]);
});

test('a successor is kept no longer than until it is used, or its minute is over', async () => {
  const kept = async () => (await oauth.opened.database('oauth_records').where('kind', 'Successor')).length;
  let { refresh_token: token } = await firstTokens();
  for (let round = 0; round < 3; round += 1) {
    ({ refresh_token: token } = await refresh(oauth, clientId, token));
    expect(await kept()).toBe(1);
  }
  oauth.pass(60 * SECOND_MS + 1);
  await oauth.records.removeEnded(100);
  expect(await kept()).toBe(0);
});
