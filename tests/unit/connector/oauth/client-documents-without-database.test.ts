import { expect } from 'vitest';
import { DAY_MS } from '../../../../src/connector/domain/limits.ts';
import type { DocumentAnswer } from '../../../../src/connector/oauth/client-documents.ts';
import { oauth, testWithNewOauth } from '../../../harness/fixtures/oauth.ts';
import { authorization, postToken, refresh } from '../../../harness/oauth-client.ts';

const CLIENT = 'https://claude.example/client.json';
const REDIRECT = 'https://claude.example/callback';
const DOCUMENT = {
  client_id: CLIENT,
  client_name: 'Claude',
  redirect_uris: [REDIRECT],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};
/** A rollback that fails would leave the transaction open on the only connection. */
const ENDS_TRANSACTION = /^(?:COMMIT|ROLLBACK)/i;
const FOUND: DocumentAnswer = { kind: 'found', text: JSON.stringify(DOCUMENT), headers: {} };

const test = testWithNewOauth({ fetchDocument: async () => answer });

let answer: DocumentAnswer;

test.beforeEach(async () => {
  answer = FOUND;
});

for (const [what, kind] of [
  ['can be fetched', FOUND],
  ['is kept, while its host is away', { kind: 'unreachable' } as const],
] as const) {
  test(`an app whose document ${what} is never said to be unknown because the database fails, but to try again`, async () => {
    let token = await allowed();
    oauth.pass(DAY_MS);
    answer = kind;

    const needed = await failingAtEach(async () => {
      const { status, error, refresh_token: next } = await refresh(oauth, CLIENT, token);
      expect([status, error]).toEqual(status === 200 ? [200, undefined] : [503, 'temporarily_unavailable']);
      token = next ?? token;
    });

    expect(needed).toBeGreaterThanOrEqual(7);
  });
}

test('a person whose app asks to sign in while the database fails does not read that the app is unknown', async () => {
  await allowed();
  oauth.pass(DAY_MS);
  answer = { kind: 'unreachable' };

  const needed = await failingAtEach(async () => {
    const response = await asked();
    const text = await response.text();
    const to = response.headers.get('location') ?? '';
    if (response.status === 303 && to.startsWith('/oauth/interaction/')) return;
    expect([response.status, text]).toEqual([503, expect.stringContaining('the database does not answer')]);
  });

  expect(needed).toBeGreaterThanOrEqual(3);
});

/** Makes each statement fail in turn, until the work needs no more of them. Returns how many it needed. */
async function failingAtEach(work: () => Promise<void>): Promise<number> {
  const { database } = oauth.opened;
  for (let good = 0; ; good += 1) {
    let count = 0;
    const fail = ({ sql }: { sql: string }): void => {
      if (ENDS_TRANSACTION.test(sql)) return;
      count += 1;
      if (count > good) throw Object.assign(new Error('the database went away'), { code: 'ECONNRESET' });
    };
    // A restart empties the memory, so that the document is asked for again.
    await oauth.restart();
    database.on('query', fail);
    try {
      await work();
    } finally {
      database.off('query', fail);
    }
    if (count <= good) return good;
  }
}

/** Tokens of an app that a person has allowed. */
async function allowed(): Promise<string> {
  const { url, verifier } = authorization(oauth, CLIENT, { redirect_uri: REDIRECT });
  const browser = await oauth.signIn('ada');
  browser.stopAt = (to) => to.origin !== oauth.baseUrl;
  const { url: sent } = await browser.submit(await browser.open(url.href), { decision: 'allow' });
  const code = sent.searchParams.get('code') ?? '';
  const { refresh_token: token } = await postToken(oauth, {
    ...{ grant_type: 'authorization_code', client_id: CLIENT, code_verifier: verifier, redirect_uri: REDIRECT, code },
  });
  return token;
}

function asked() {
  return fetch(authorization(oauth, CLIENT, { redirect_uri: REDIRECT }).url, {
    redirect: 'manual',
    headers: { accept: 'application/json' },
  });
}
