import { expect } from 'vitest';
import { type ConnectorConfig, connectorConfig } from '../../../schemas/connector.ts';
import { createServices } from '../../../src/connector/services/index.ts';
import { prune } from '../../../src/connector/upkeep/pruning.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { open, testWithNewStore } from '../../harness/fixtures/open-store.ts';
import { capturedLine } from '../../harness/open-store.ts';
import { serviceContext } from '../../harness/use-case-context.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A configuration that says only what it must. */
const config: ConnectorConfig = connectorConfig.parse({
  baseUrl: 'https://irc.example.org',
  ircChannels: ['#room'],
  settings: { ownerLogins: ['ada'] },
  identityProvider: { oidc: { issuer: 'https://id.example.org', clientId: 'x', clientSecretFile: '/secret' } },
  bouncer: { soju: { network: { address: 'ircs://irc.example.org' } } },
});

const test = testWithNewStore();

test('unless configured otherwise an entry is kept for ninety days, and an account keeps its newest 200,000', async () => {
  verifies('connector.limit.retention');
  const accountId = await open.account('ada');
  const begin = open.clock.now();
  const lines = ['before', 'after'].map((text, n) => ({ line: capturedLine(text, begin - 1 + n), own: undefined }));
  await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
  open.clock.set(begin + 90 * DAY_MS);

  await prune(accountId, { ...open, keep: () => config.retention, isSteady: () => true }, new AbortController().signal);

  expect(await open.database('entries').where('account_id', accountId).pluck('text')).toEqual(['after']);
  expect(config.retention.entriesPerAccount).toBe(200_000);
});

test('unless configured otherwise twenty people may have an account, owners among them', async () => {
  verifies('connector.limit.users-settings-maxUsers');
  const services = createServices(serviceContext(open, { ...config.settings, ircChannels: config.ircChannels }));
  await services.signIn({ issuer: 'https://id.example.org', subject: '1', login: 'ada' });
  for (let n = 2; n <= 20; n += 1) await services.invite({ login: `person${n}` });

  await expect(services.invite({ login: 'one too many' })).rejects.toMatchObject({ code: 'user_limit_reached' });

  expect(await services.invite({ login: 'person20', channels: [] })).toMatchObject({ login: 'person20' });
});
