import { expect, test } from 'vitest';
import { registrationProblem } from '../../../../../src/connector/oauth/policy/client-metadata.ts';
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
  `https://a.example/${'x'.repeat(512)}`,
]) {
  test(`${uri.slice(0, 60)} may not be registered`, () => {
    expect(redirectUriProblem(uri)).toMatch(/^must /);
  });
}

test('a client needs redirect URIs, not too many, and a name of bearable length', () => {
  const uri = 'https://a.example/cb';

  expect(registrationProblem({ redirect_uris: [] })).toContain('redirect_uris');
  expect(registrationProblem({ redirect_uris: Array.from({ length: 6 }, () => uri) })).toContain('redirect_uris');
  expect(registrationProblem({ redirect_uris: [uri], client_name: 'x'.repeat(201) })).toContain('client_name');
  expect(registrationProblem({ redirect_uris: Array.from({ length: 5 }, () => uri) })).toBeUndefined();
});

test('a registration of more than eight kilobytes is refused, whatever it is made of', () => {
  const small = { redirect_uris: ['https://a.example/cb'] };

  expect(registrationProblem({ ...small, made_up: 'x'.repeat(8_192) })).toContain('8192 bytes');
  expect(registrationProblem({ ...small, made_up: 'ä'.repeat(4_096) })).toContain('8192 bytes');
  expect(registrationProblem({ ...small, made_up: 'x'.repeat(8_000) })).toBeUndefined();
});
