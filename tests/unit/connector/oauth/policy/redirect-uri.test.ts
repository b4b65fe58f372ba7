import { expect, test } from 'vitest';
import { clientMetadataProblem } from '../../../../../src/connector/oauth/policy/client-metadata.ts';
import { redirectUriProblem } from '../../../../../src/connector/oauth/policy/redirect-uri.ts';

for (const uri of [
  'https://chatgpt.com/connector/oauth/x',
  'https://a.example:8443/cb?x=1',
  'http://127.0.0.1:1/cb',
  'http://[::1]:1/cb',
  'http://localhost/cb',
]) {
  test(`${uri} may be registered`, () => {
    expect(redirectUriProblem(uri)).toBeUndefined();
  });
}

for (const uri of [
  'http://a.example/cb',
  'http://127.0.0.1.a.example/',
  'data:text/html,x',
  '/relative',
  `https://a.example/${'x'.repeat(2_048)}`,
]) {
  test(`${uri.slice(0, 60)} may not be registered`, () => {
    expect(redirectUriProblem(uri)).toMatch(/^must /);
  });
}

test('a client needs redirect URIs, not too many, and a name of bearable length', () => {
  const uri = 'https://a.example/cb';

  expect(clientMetadataProblem({ redirect_uris: [] })).toContain('redirect_uris');
  expect(clientMetadataProblem({ redirect_uris: Array.from({ length: 21 }, () => uri) })).toContain('redirect_uris');
  expect(clientMetadataProblem({ redirect_uris: [uri], client_name: 'x'.repeat(201) })).toContain('client_name');
  expect(clientMetadataProblem({ redirect_uris: [uri] })).toBeUndefined();
});
