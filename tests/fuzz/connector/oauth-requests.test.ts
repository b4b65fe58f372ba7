import fc from 'fast-check';
import { expect } from 'vitest';
import { AGENT_REDIRECT_URI } from '../../harness/agent.ts';
import { clientId, oauth, testWithClient } from '../../harness/fixtures/oauth.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';

const SERVER_ERROR_STATUS = 500;

const test = testWithClient(
  {},
  { legacyClient: { id: 'legacy', secret: 'x', redirectUris: ['https://actions.example/'] } },
);

const anything = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', '\0', '%', 'null', ''),
);
const named = (...names: string[]) => fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, anything);
const NAMES = [
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'grant_type',
  'prompt',
  'redirect_uri',
  'refresh_token',
  'request',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'token',
  'token_type_hint',
];

/** Bytes that are not a form, and forms that are cut off. */
const bodies = () => fc.oneof(parameters().map(String), fc.string({ unit: 'binary' }), fc.json());

test('whatever an authorization request has, it is answered by a page or sent to an address of its client', async () => {
  await fc.assert(
    fc.asyncProperty(parameters(), async (given) => {
      const answer = await fetch(`${oauth.baseUrl}/oauth/authorize?${given}`, {
        redirect: 'manual',
        headers: { accept: 'text/html' },
      });
      const location = answer.headers.get('location');

      expect(answer.status).toBeLessThan(SERVER_ERROR_STATUS);
      if (location !== null && !location.startsWith('/oauth/interaction/')) {
        expect([AGENT_REDIRECT_URI, 'https://actions.example/']).toContain(location.split(/[?#]/, 1)[0]);
      }
    }),
    { numRuns: fuzzRuns(500) },
  );
});

test.each(['token', 'revoke', 'register'])(
  'whatever is sent to /oauth/%s, no token comes of it and nothing fails',
  async (path) => {
    const type = named('application/x-www-form-urlencoded', 'application/json', 'text/plain').filter((name) =>
      /^[\x20-\x7e]*$/.test(name),
    );
    await fc.assert(
      fc.asyncProperty(bodies(), type, async (body, contentType) => {
        const answer = await fetch(`${oauth.baseUrl}/oauth/${path}`, {
          method: 'POST',
          headers: { 'content-type': contentType },
          body,
        });
        const text = await answer.text();

        expect(answer.status).toBeLessThan(SERVER_ERROR_STATUS);
        expect(text).not.toContain('access_token');
        if (text !== '') expect(JSON.parse(text)).toBeTypeOf('object');
      }),
      { numRuns: fuzzRuns(500) },
    );
  },
);

test('whatever a registration has, it is answered by a client or by what is wrong', async () => {
  const members = fc.dictionary(
    named(
      'redirect_uris',
      'client_name',
      'grant_types',
      'response_types',
      'token_endpoint_auth_method',
      'application_type',
      'jwks',
      'scope',
    ),
    fc.oneof(
      fc.jsonValue(),
      fc.array(fc.oneof(fc.webUrl(), fc.constantFrom('code', 'cursor://app/cb', AGENT_REDIRECT_URI))),
    ),
  );
  await fc.assert(
    fc.asyncProperty(members, async (metadata) => {
      const answer = await fetch(`${oauth.baseUrl}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [AGENT_REDIRECT_URI], ...metadata }),
      });
      const { error } = (await answer.json()) as { error?: string };

      expect([answer.status, error ?? 'none']).toEqual(
        answer.status === 201
          ? [201, 'none']
          : [400, expect.stringMatching(/^invalid_(client_metadata|redirect_uri|request)$/)],
      );
    }),
    { numRuns: fuzzRuns(300) },
  );
});

/** Parameters that are nearly right, some of them twice. */
function parameters() {
  return fc
    .array(
      fc.tuple(
        named(...NAMES),
        fc.oneof(
          fc.constantFrom('legacy', 'code', 'S256', 'irc:read', 'authorization_code', 'refresh_token', 'query', 'none'),
          fc.constant(AGENT_REDIRECT_URI),
          fc.constant(clientId),
          fc.constant(oauth.baseUrl),
          anything,
        ),
      ),
      { maxLength: 12 },
    )
    .map((pairs) => new URLSearchParams(pairs));
}
