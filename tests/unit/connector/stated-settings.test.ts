import { expect, test } from 'vitest';
import { connectorConfig } from '../../../schemas/connector.ts';
import { statedSettings } from '../../../src/connector/stated-settings.ts';
import { differingSettings } from '../../../src/connector/store/hold/differing-settings.ts';

const WRITTEN = {
  baseUrl: 'https://irc.example.org',
  ircChannels: ['#room', '#ops'],
  settings: { ownerLogins: ['ada', 'bob'] },
  identityProvider: { oidc: { issuer: 'https://id.example.org', clientId: 'x', clientSecretFile: '/secret' } },
  bouncer: { soju: { network: { address: 'ircs://irc.example.org' } } },
};

const hashes = (change: object = {}): Record<string, string> =>
  statedSettings(connectorConfig.parse({ ...WRITTEN, ...change }));

const differences = (change: object): string[] => differingSettings(hashes(), hashes(change));

test('processes should have all options in common but places and ways of each machine', () => {
  expect(Object.keys(hashes())).toEqual([
    'baseUrl',
    'ircChannels',
    'oauthRedirectUris',
    'corsOrigins',
    'settings.ownerLogins',
    'settings.ownerSubjects',
    'settings.maxUsers',
    'settings.personalTokens',
    'identityProvider.oidc.issuer',
    'identityProvider.oidc.clientId',
    'identityProvider.oidc.loginClaim',
    'bouncer.soju.network.name',
    'bouncer.soju.network.address',
    'bouncer.soju.network.unpaced',
    'bouncer.soju.upstreamProbeSeconds',
    'bouncer.soju.replayTimeoutSeconds',
    'bouncer.soju.otherNetworks',
    'retention.days',
    'retention.entriesPerAccount',
    'rateLimits.perClient',
    'rateLimits.perAddress',
    'events.allowCallbackHosts',
    'oauth.clientDocuments',
    'adminEvents.enable',
  ]);
});

for (const [what, change, paths] of [
  ['ports, directories, files and the log', { listen: { port: 1 }, stateDirectory: '/x', logLevel: 'debug' }, []],
  ['the order of a list of names', { ircChannels: ['#ops', '#room'], settings: { ownerLogins: ['bob', 'ada'] } }, []],
  ['an owner', { settings: { ownerLogins: ['ada'] } }, ['settings.ownerLogins']],
  ['a limit and a channel', { ircChannels: ['#room'], retention: { days: 1 } }, ['ircChannels', 'retention.days']],
  [
    'the network and an option that only one has',
    {
      bouncer: { soju: { network: { address: 'ircs://b.example.org' } } },
      legacyClient: { id: 'x', secretFile: '/x' },
      oauthRedirectUris: ['https://x.example.org/'],
    },
    ['bouncer.soju.network.address', 'legacyClient.id', 'oauthRedirectUris'],
  ],
] as const) {
  test(`the difference between processes is named for ${what}`, () => {
    expect(differences(change)).toEqual(paths);
  });
}
