import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connectorConfig } from '../../schemas/connector.ts';
import { blocksOf } from '../harness/guide-blocks.ts';

/** The fewest options; a guide shows others, or other values of these. */
const FEWEST = {
  baseUrl: 'https://irc.example.org',
  ircChannels: ['#homeport'],
  settings: { ownerLogins: ['ada'] },
  identityProvider: { oidc: { issuer: 'https://id.example.org', clientId: 'homeport', clientSecretFile: '/secret' } },
  bouncer: { soju: { network: { address: 'ircs://irc.example.net' } } },
};

const options = new Set(Object.keys(connectorConfig.shape));

/** Options of the connector that the guides show as JSON; other JSON has other names. */
const shown = readdirSync('docs/guides').flatMap((page) =>
  blocksOf(page, 'json')
    .map((block) => JSON.parse(block) as Record<string, unknown>)
    .filter((block) => Object.keys(block).some((key) => options.has(key)))
    .map((block): [string, Record<string, unknown>] => [`${page}: ${Object.keys(block).join(', ')}`, block]),
);

test('the guides show configurations', () => {
  const keys = new Set(shown.flatMap(([, block]) => Object.keys(block)));

  expect([...keys]).toEqual(expect.arrayContaining(['identityProvider', 'trustedProxies', 'events', 'corsOrigins']));
});

test.each(shown)('the connector takes what a guide shows: %s', (_title, block) => {
  expect(connectorConfig.safeParse({ ...FEWEST, ...block }).error?.issues ?? []).toEqual([]);
});
