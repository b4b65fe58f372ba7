import { expect, test } from 'vitest';
import { registrationProblem } from '../../../../src/connector/oauth/policy/client-metadata.ts';

const problemOf = (metadata: Record<string, unknown>) =>
  registrationProblem({
    redirect_uris: ['https://client.example/cb'],
    token_endpoint_auth_method: 'none',
    ...metadata,
  });

test.each([
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'com.example.app:/cb',
  'https://client.example/cb',
  'https://client.example:8443/a;b,c/d?e=(f)&g=%20',
  'https://xn--exmple-cua.example/',
  'https://a_b.client.example./cb',
  'https://[2001:db8::1]/cb',
  'http://127.0.0.1:9/cb',
  'http://[::1]:9/cb',
])('a client may register the redirect URI %s', (uri) => {
  expect(problemOf({ redirect_uris: [uri] })).toBeUndefined();
});

test.each([
  'https://a;script-src.example/cb',
  'https://a,b.example/cb',
  "https://a'b.example/cb",
  'https://a"b.example/cb',
  'https://cli\tent.example/cb',
  'https://client.example/c\nb',
  ' https://client.example/cb',
  'https://client.example\\@other.example/',
  'https://exämple.example/cb',
])('a client may not register the redirect URI %j, which a browser or a header reads in another way', (uri) => {
  expect(problemOf({ redirect_uris: [uri] })).toMatch(/^redirect_uris must/);
});

test.each(['Agent', 'エージェント', '✓', 'a b'])('a client may call itself %s', (name) => {
  expect(problemOf({ client_name: name })).toBeUndefined();
});

test.each([' ', '\u200b', '\u3164', '\u2800', '\u{e0041}', 'a\u0000b', 'a\nb'])(
  'a client may not call itself %j, which nobody can read',
  (name) => {
    expect(problemOf({ client_name: name })).toMatch(/^client_name must/);
  },
);

test('a client that names no method has a secret, and so no scheme of its own', () => {
  const registration = { redirect_uris: ['cursor://app/cb'] };

  expect(problemOf({ ...registration, token_endpoint_auth_method: undefined })).toMatch(/^redirect_uris must be https/);
  expect(problemOf(registration)).toBeUndefined();
});
