import { expect, test } from 'vitest';
import { fitMetadata } from '../../../../src/connector/oauth/policy/client-metadata.ts';

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

test.each([
  ...[' ', '\u200b', '\u3164', '\u2800', '\u{e0041}', 'a\u0000b', 'a\nb'],
  ...['Cl\u200baude', 'Claude\u2060', '\u202eedualC', 'Cl\u00adaude', '\u2066Claude\u2069', 'Claude\ufeff', 'a\u2028b'],
])('a client may not call itself %j, which nobody can read, or which looks like another name', (name) => {
  expect(problemOf({ client_name: name })).toMatch(/^client_name must/);
});

test('a client that names no method has a secret, and so no scheme of its own', () => {
  const registration = { redirect_uris: ['cursor://app/cb'] };

  expect(problemOf({ ...registration, token_endpoint_auth_method: undefined })).toMatch(/^redirect_uris must be https/);
  expect(problemOf(registration)).toBeUndefined();
});

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'grant types',
    { grant_types: ['authorization_code', 'refresh_token', DEVICE] },
    { grant_types: ['authorization_code', 'refresh_token'] },
  ],
  ['response types', { response_types: ['code', 'token', 'code id_token'] }, { response_types: ['code'] }],
  ['a kind of application', { application_type: 'browser' }, {}],
  [
    'a method, beside one that it can do as well',
    {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post'],
    },
    { token_endpoint_auth_method: 'client_secret_post' },
  ],
  [
    'a method alone',
    { token_endpoint_auth_method: 'tls_client_auth' },
    { token_endpoint_auth_method: 'client_secret_basic' },
  ],
])('of a registration, %s that do not exist here are dropped', (_, given, kept) => {
  const metadata: Record<string, unknown> = { redirect_uris: ['https://client.example/cb'], ...given };

  expect(fitMetadata(metadata, 'registration')).toBeUndefined();
  delete metadata['token_endpoint_auth_methods_supported'];
  expect(metadata).toEqual({ redirect_uris: ['https://client.example/cb'], ...kept });
});

test.each<Record<string, unknown>>([
  { grant_types: [DEVICE] },
  { grant_types: ['client_credentials', 'implicit'] },
  { response_types: ['token'] },
  { response_types: [] },
])('a client that could do nothing here is refused, by a registration and by a document: %j', (given) => {
  for (const source of ['registration', 'document'] as const) {
    const metadata = { redirect_uris: ['https://client.example/cb'], client_name: 'Agent', ...given };
    expect(fitMetadata(metadata, source)).toMatch(/could do nothing here$/);
  }
});

function problemOf(metadata: Record<string, unknown>) {
  return fitMetadata(
    {
      redirect_uris: ['https://client.example/cb'],
      token_endpoint_auth_method: 'none',
      ...metadata,
    },
    'registration',
  );
}
