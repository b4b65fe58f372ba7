import { expect } from 'vitest';
import type { DocumentAnswer } from '../../../../src/connector/oauth/client-documents.ts';
import { oauth, testWithNewOauth } from '../../../harness/fixtures/oauth.ts';
import { authorization } from '../../../harness/oauth-client.ts';

const HOUR_MS = 3_600_000;
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

const test = testWithNewOauth({ fetchDocument: async () => answer });

let answer: DocumentAnswer;

const statusOf = async () =>
  (await fetch(authorization(oauth, CLIENT, { redirect_uri: REDIRECT }).url, { redirect: 'manual' })).status;

test('a host that could not be reached while the clock was ahead is asked again once it is set right', async () => {
  answer = { kind: 'unreachable' };
  oauth.setClock(2 * HOUR_MS);
  expect(await statusOf()).toBe(400);

  oauth.setClock(-2 * HOUR_MS);
  oauth.pass(60_000);
  answer = { kind: 'found', text: JSON.stringify(DOCUMENT), headers: {} };

  expect(await statusOf()).toBe(303);
});
