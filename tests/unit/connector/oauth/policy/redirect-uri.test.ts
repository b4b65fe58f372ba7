import { expect, test } from 'vitest';
import {
  differInPortOnly,
  isLoopback,
  redirectUriProblem,
} from '../../../../../src/connector/oauth/policy/redirect-uri.ts';

const problemOf = (uri: string) => redirectUriProblem(uri, { isPublic: true });

for (const uri of [
  'https://chatgpt.com/connector/oauth/x',
  'https://a.example:8443/cb?x=1',
  'http://127.0.0.1:1/cb',
  'http://[::1]:1/cb',
  'http://localhost/cb',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://saoudrizwan.claude-dev/mcp-auth/callback',
  'com.example.app:/cb',
  'com.example.app:/cb?from=homeport',
]) {
  test(`${uri} may be registered`, () => {
    expect(problemOf(uri)).toBeUndefined();
  });
}

for (const uri of [
  'http://a.example/cb',
  'http://127.0.0.1.a.example/',
  '/relative',
  `https://a.example/${'x'.repeat(512)}`,
  'cursor://user@anysphere.cursor-mcp/cb',
  'cursor://anysphere.cursor-mcp/cb#x',
  'cursor://*/cb',
  'com.example.app:cb',
  'com.example.app:/',
  'x:/cb',
  'Cursor://anysphere.cursor-mcp/cb',
]) {
  test(`${uri.slice(0, 60)} may not be registered`, () => {
    expect(problemOf(uri)).toMatch(/^must /);
  });
}

/** A browser or a system handles these itself, or gives them to a program that does more than wait for an answer. */
for (const uri of [
  'javascript:alert(1)',
  'javascript://a.example/%0aalert(1)',
  'data:text/html,x',
  'data:/text/html,x',
  'file:///etc/passwd',
  'blob:https://a.example/x',
  'filesystem:https://a.example/x',
  'view-source:https://a.example/',
  'vbscript:/x',
  'about:/blank',
  'chrome://settings/x',
  'googlechromes://evil.example/cb',
  'firefox://open-url/x',
  'x-safari-https://evil.example/cb',
  'touch-https://evil.example/cb',
  'ddgquicklink://evil.example/cb',
  'chrome-extension://abc/x',
  'moz-extension://abc/x',
  'ms-msdt:/id',
  'ms-settings:/x',
  'search-ms://x/y',
  'web+app://x/y',
  'intent://scan/#Intent',
  'intent://scan/x',
  'ftp://a.example/x',
  'ws://a.example/x',
  'wss://a.example/x',
  'mailto:/x@a.example',
  'tel:/123',
  'sms:/123',
  'ssh://a.example/x',
  'smb://a.example/x',
  'irc://a.example/x',
  'ldap://a.example/x',
  'itms-services://x/y',
  'apt:/x',
]) {
  test(`no app can have ${uri}, which is not its own`, () => {
    expect(problemOf(uri)).toMatch(/^must /);
  });
}

test('a client with a secret is not an app on a person’s machine: it has no scheme of its own', () => {
  expect(redirectUriProblem('cursor://anysphere.cursor-mcp/cb', { isPublic: false })).toMatch(/^must be https/);
  expect(redirectUriProblem('https://a.example/cb', { isPublic: false })).toBeUndefined();
});

test.each([
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/cb', true],
  ['http://localhost/cb', 'http://localhost:54321/cb', true],
  ['http://[::1]:1/cb?x', 'http://[::1]/cb?x', true],
  ['http://localhost:1', 'http://localhost:2', true],
  ['http://127.0.0.1:1/cb', 'http://localhost:1/cb', false],
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:1/cb/', false],
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:1@evil.example/cb', false],
  ['http://localhost:1/cb', 'http://localhost.evil.example:1/cb', false],
  ['https://localhost:1/cb', 'https://localhost:2/cb', false],
  ['http://a.example:1/cb', 'http://a.example:2/cb', false],
])('%s and %s differ in the port of one’s own machine only: %s', (one, other, isSo) => {
  expect(differInPortOnly(one, other)).toBe(isSo);
});

test.each([
  'http://127.0.0.1.evil.example/',
  'http://localhost@evil.example/',
  'https://127.0.0.1/',
  'cursor://localhost/',
])('%s is not on one’s own machine', (uri) => {
  expect(isLoopback(uri)).toBe(false);
});
