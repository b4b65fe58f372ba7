import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseLogin } from '../../../src/connector/domain/login-name.ts';
import { ConnectorError } from '../../../src/connector/errors.ts';
import { createIdentityProvider } from '../../../src/connector/idp/index.ts';
import type { IdentityProvider } from '../../../src/connector/ports/identity-provider.ts';
import { GITHUB_APP, type GithubLike, startGithubLike } from '../../harness/github-like.ts';

const CALLBACK = 'http://127.0.0.1:1/login/idp/callback';

let github: GithubLike;
let provider: IdentityProvider;

beforeAll(async () => {
  github = await startGithubLike(() => CALLBACK);
  provider = createIdentityProvider({ github: { url: github.url, ...GITHUB_APP } }, CALLBACK, () => 0);
});

afterAll(() => github?.[Symbol.asyncDispose]());

const parameter = fc.tuple(
  fc.constantFrom('code', 'state', 'iss', 'error', 'error_description', 'id_token', 'response', 'x'),
  fc.oneof(fc.string({ unit: 'binary' }), fc.constant('STATE')),
);

test('whatever a browser comes back with, nobody is signed in by a code that was not given, and each refusal is expected', async () => {
  const { attempt } = await provider.start();

  await fc.assert(
    fc.asyncProperty(fc.array(parameter, { maxLength: 6 }), async (parameters) => {
      const callback = new URL(CALLBACK);
      for (const [name, value] of parameters) {
        callback.searchParams.append(name, value === 'STATE' ? attempt.state : value);
      }

      const refusal: unknown = await provider.finish(callback, attempt).catch((error: unknown) => error);

      expect(refusal).toBeInstanceOf(ConnectorError);
      expect(refusal).toMatchObject({ code: 'sign_in_failed' });
    }),
  );
});

test('whatever a service says of a person, they are refused or have a number and a login of one line', async () => {
  const member = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.integer(), fc.constant(null), fc.object());

  await fc.assert(
    fc.asyncProperty(fc.record({ id: member, login: member }, { requiredKeys: [] }), async (user) => {
      github.instead.user = (_req, res) => void res.json(user);
      const { url, attempt } = await provider.start();
      const back = await fetch(url, { redirect: 'manual' });
      const callback = new URL(back.headers.get('location') ?? '');

      const outcome: unknown = await provider.finish(callback, attempt).catch((error: unknown) => error);

      if (outcome instanceof ConnectorError) expect(outcome.code).toBe('sign_in_failed');
      else {
        const { subject, login } = outcome as { subject: string; login: string };
        expect(subject).toMatch(/^[1-9]\d*$/);
        expect(parseLogin(login)).toBe(login);
      }
    }),
  );
});
