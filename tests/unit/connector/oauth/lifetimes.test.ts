import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '../../../../src/connector/domain/limits.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { codeFor, redeem, refresh, registerClient } from '../../../harness/oauth-client.ts';
import { type OauthInProcess, openOauth } from '../../../harness/oauth-in-process.ts';

const MINUTE_MS = 60_000;

let oauth: OauthInProcess;
let clientId: string;

beforeEach(async () => {
  oauth = await openOauth();
  clientId = await registerClient(oauth);
});

afterEach(() => oauth[Symbol.asyncDispose]());

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
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => refresh(oauth, clientId, first.refresh_token)));
  const good = [one, two, three].filter((answer) => answer?.status === 200);

  expect(good).toHaveLength(1);
  for (const answer of good) {
    expect(await refresh(oauth, clientId, answer?.refresh_token ?? '')).toMatchObject({ error: 'invalid_grant' });
    expect(await oauth.verify(answer?.access_token ?? '')).toBeUndefined();
  }
  expect(await oauth.consents.ofAccount(oauth.accountOf('ada'))).toEqual([]);
});
