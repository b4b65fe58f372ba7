import { expect } from 'vitest';
import { secretHash } from '../../../../src/connector/domain/ids.ts';
import { isSecretOf, withHashedSecret } from '../../../../src/connector/oauth/client-secrets.ts';
import { AGENT_REDIRECT_URI } from '../../../harness/agent.ts';
import { oauth, testWithNewOauth } from '../../../harness/fixtures/oauth.ts';
import {
  authorization,
  codeFor,
  postRegistration,
  postToken,
  redeem,
  registerClient,
} from '../../../harness/oauth-client.ts';

const test = testWithNewOauth();

const confidential = async (): Promise<Confidential> =>
  (await (await postRegistration(oauth, { token_endpoint_auth_method: 'client_secret_post' })).json()) as Confidential;

test('secrets, codes and tokens that a client presents are not stored, not even encrypted', async () => {
  const { client_id: clientId, client_secret: secret } = await confidential();
  const publicId = await registerClient(oauth);
  const redeemed = await codeFor(oauth, 'ada', publicId);
  const waiting = await codeFor(oauth, 'ada', publicId);
  const tokens = await redeem(oauth, publicId, redeemed);
  const kept = await opened();

  expect(kept).toContain(secretHash(secret));
  expect(kept).toContain(clientId);
  for (const presented of [secret, redeemed.code, waiting.code, tokens.access_token, tokens.refresh_token]) {
    expect(presented.length).toBeGreaterThan(20);
    expect(kept).not.toContain(presented);
  }
});

test('a client gets tokens with its secret and with no other, also after a restart', async () => {
  const { client_id: clientId, client_secret: secret } = await confidential();
  await oauth.restart();
  const exchange = async (presented: string) => {
    const { url, verifier } = authorization(oauth, clientId);
    const browser = await oauth.signIn('ada');
    browser.stopAt = (to) => to.origin !== oauth.baseUrl;
    const { url: sent } = await browser.submit(await browser.open(url.href), { decision: 'allow' });
    return postToken(oauth, {
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: presented,
      code: sent.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: AGENT_REDIRECT_URI,
    });
  };

  expect(await exchange(secret)).toMatchObject({ status: 200 });
  for (const wrong of ['x', secret.slice(1), `sha256:${secretHash(secret)}`, secretHash(secret)]) {
    expect(await exchange(wrong)).toMatchObject({ status: 401, error: 'invalid_client' });
  }
});

test('a client whose secret an earlier version kept as it is still gets tokens', () => {
  expect(isSecretOf('as it is', 'as it is')).toBe(true);
  expect(isSecretOf('as it is', 'as it isn’t')).toBe(false);
  expect(isSecretOf('', '')).toBe(false);
});

test('a secret that looks like a hash is hashed like any other', () => {
  const { client_secret: known } = withHashedSecret({ client_secret: 'sha256:x' });

  expect(isSecretOf(known, 'sha256:x')).toBe(true);
  expect(isSecretOf(known, known)).toBe(false);
});

/** All that is kept, opened with the key that only the program has. */
async function opened(): Promise<string> {
  const rows: { kind: string; id_hash: string }[] = await oauth.opened
    .database('oauth_records')
    .select('kind', 'id_hash');
  const payloads = await Promise.all(
    rows.map(async ({ kind, id_hash: idHash }) => (await oauth.records.find(kind, { idHash }))?.payload),
  );
  return JSON.stringify([rows, payloads]);
}

interface Confidential {
  client_id: string;
  client_secret: string;
}
