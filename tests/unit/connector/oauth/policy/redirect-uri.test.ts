import { expect, test } from 'vitest';
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
