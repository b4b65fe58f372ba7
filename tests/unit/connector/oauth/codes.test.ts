import { expect } from 'vitest';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { clientId, oauth, testWithNewClient } from '../../../harness/fixtures/oauth.ts';
import { codeFor, redeem, refresh } from '../../../harness/oauth-client.ts';

const SECOND_MS = 1_000;

const test = testWithNewClient();

const newCode = () => codeFor(oauth, 'ada', clientId);

test('a code is good for sixty seconds, once', async () => {
  verifies('connector.lifetime.authorization-code');
  const [early, late] = [await newCode(), await newCode()];

  oauth.pass(59 * SECOND_MS);
  expect(await redeem(oauth, clientId, early)).toMatchObject({ status: 200 });
  expect(await redeem(oauth, clientId, early)).toMatchObject({ status: 400, error: 'invalid_grant' });
  oauth.pass(2 * SECOND_MS);

  expect(await redeem(oauth, clientId, late)).toMatchObject({ status: 400, error: 'invalid_grant' });
});

test('a code is not redeemed for another resource', async () => {
  verifies('connector.authentication.2');
  const answer = await redeem(oauth, clientId, await newCode(), { resource: 'https://other.example' });

  expect(answer).toMatchObject({ status: 400, error: 'invalid_target' });
});

for (const which of ['access_token', 'refresh_token'] as const) {
  test(`revoking the ${which} ends what the client had`, async () => {
    verifies('connector.endpoint.POST-oauth-revoke');
    const tokens = await redeem(oauth, clientId, await newCode());
    expect(await oauth.verify(tokens.access_token)).toBeDefined();

    const answer = await fetch(`${oauth.baseUrl}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, token: tokens[which] }),
    });

    expect(answer.status).toBe(200);
    expect(await oauth.verify(tokens.access_token)).toBeUndefined();
    expect(await refresh(oauth, clientId, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  });
}
