import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../scripts/stack/free-port.ts';
import { examineGithub } from '../../../../src/connector/doctor/github-check.ts';
import type { GithubSettings } from '../../../../src/connector/idp/github.ts';
import { GITHUB_APP, type GithubLike, startGithubLike } from '../../../harness/github-like.ts';

const CALLBACK = 'http://127.0.0.1:1/login/idp/callback';

let github: GithubLike;

beforeAll(async () => {
  github = await startGithubLike(() => CALLBACK);
});

afterAll(() => github?.[Symbol.asyncDispose]());

const examine = (changes: Partial<GithubSettings> = {}, redirectUri = CALLBACK) =>
  examineGithub({ url: github.url, ...GITHUB_APP, ...changes }, redirectUri);

test('a service that knows the app and has its API where it belongs passes', async () => {
  expect(await examine()).toEqual({ isOk: true, says: `${github.url} knows the connector` });
});

for (const [what, changes, says, remedy] of [
  [
    'another secret',
    { clientSecret: 'x' },
    /does not know this client id with this secret/,
    /identityProvider\.github\.clientId/,
  ],
  ['an app that is not there', { clientId: 'x' }, /does not know this client id/, /clientSecretFile/],
] as const) {
  test(`with ${what} the doctor says so`, async () => {
    expect(await examine(changes)).toEqual({
      isOk: false,
      says: expect.stringMatching(says),
      remedy: expect.stringMatching(remedy),
    });
  });
}

test('with another place of its API the doctor says so', async () => {
  expect(await examine({ apiUrl: `${github.url}/elsewhere` })).toEqual({
    isOk: false,
    says: `${github.url}/elsewhere/user: answers 404 to a request without a token, not 401`,
    remedy: 'set identityProvider.github.apiUrl to the address of its API',
  });
});

test('an app that would send people elsewhere is reported with the callback that it needs', async () => {
  expect(await examine({}, 'https://irc.example.org/login/idp/callback')).toMatchObject({
    isOk: false,
    remedy: 'set the callback URL of the OAuth app there to https://irc.example.org/login/idp/callback',
  });
});

test('a service that is away and one that is not GitHub are distinguished', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  expect(await examine({ url })).toMatchObject({ isOk: false, says: expect.stringContaining('ECONNREFUSED') });
  github.instead.token = (_req, res) => void res.status(404).send('<h1>Not Found</h1>');

  expect(await examine()).toMatchObject({ isOk: false, says: `${github.url} answers 404 and not as GitHub does` });
});
