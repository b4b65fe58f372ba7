import { expect, test } from 'vitest';
import { fitMetadata } from '../../../../../src/connector/oauth/policy/client-metadata.ts';

const registrationProblem = (metadata: Record<string, unknown>) => fitMetadata(metadata, 'registration');

test('a client needs redirect URIs, not too many, and a name of bearable length', () => {
  const uri = 'https://a.example/cb';

  expect(registrationProblem({ redirect_uris: [] })).toContain('redirect_uris');
  expect(registrationProblem({ redirect_uris: Array.from({ length: 11 }, () => uri) })).toContain('redirect_uris');
  expect(registrationProblem({ redirect_uris: [uri], client_name: 'x'.repeat(201) })).toContain('client_name');
  expect(registrationProblem({ redirect_uris: Array.from({ length: 10 }, () => uri) })).toBeUndefined();
});

test('a registration of more than eight kilobytes is refused, with any members', () => {
  const small = { redirect_uris: ['https://a.example/cb'] };

  expect(registrationProblem({ ...small, made_up: 'x'.repeat(8_192) })).toContain('8192 bytes');
  expect(registrationProblem({ ...small, made_up: 'ä'.repeat(4_096) })).toContain('8192 bytes');
  expect(registrationProblem({ ...small, made_up: 'x'.repeat(8_000) })).toBeUndefined();
  // A value deeper than JSON.stringify can follow.
  const deep: unknown = JSON.parse('['.repeat(28_000) + ']'.repeat(28_000));
  expect(registrationProblem({ ...small, deep })).toContain('8192 bytes');
});
