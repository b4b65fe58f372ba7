import { join } from 'node:path';
import express from 'express';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectorConfig } from '../../../schemas/connector.ts';
import { createHostRules } from '../../../src/connector/outbound/host-rules.ts';
import { loadConfig } from '../../../src/kernel/config/load-config.ts';
import { ConfigError } from '../../../src/kernel/errors.ts';
import { writeConfig } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const MINIMAL = {
  baseUrl: 'https://irc.example.org',
  ircChannels: ['#room'],
  settings: { ownerLogins: ['ada'] },
  identityProvider: { oidc: { issuer: 'https://id.example.org', clientId: 'x', clientSecretFile: '/secret' } },
  bouncer: { soju: { network: { address: 'ircs://irc.example.org' } } },
};

const BASE_URL = 'an https address without a path or a slash at the end (http only on 127.0.0.1, localhost or [::1])';
const REDIRECT_URI =
  'an https address without a fragment, a wildcard or a user name (http only on 127.0.0.1, localhost or [::1])';
const PROXY = 'an IP address, or a network as ADDRESS/BITS with 1 to 32 bits, in IPv6 to 128';

for (const baseUrl of [
  'http://irc.example.org',
  'http://127.0.0.1.example.org',
  'http://localhost.example.org:8460',
  'http://127.0.0.1@evil.example',
  'https://ada@irc.example.org',
  'https://irc.example.org/',
  'https://irc.example.org?x',
  'https://irc.exam\tple.org',
  'https://[irc',
]) {
  test(`the base address ${JSON.stringify(baseUrl)} is refused`, async () => {
    expect(await problemsWith({ baseUrl })).toEqual([
      `baseUrl: expected ${BASE_URL}, received ${JSON.stringify(baseUrl)}`,
    ]);
  });
}

for (const channel of ['##topic', '###', '#c++', '#gr\u00fc\u00df', '#a.b']) {
  test(`the channel ${channel} may be configured`, async () => {
    expect(await problemsWith({ ircChannels: [channel] })).toEqual([]);
  });
}

for (const channel of [
  '#a/b',
  '#/',
  '&local',
  '+open',
  'room',
  '#',
  '#a b',
  '#a,b',
  '#a:b',
  '#a\u0007b',
  '#a\u00a0b',
]) {
  test(`the channel ${JSON.stringify(channel)} is refused by the configuration, with the reason`, async () => {
    expect(await problemsWith({ ircChannels: ['#room', channel] })).toEqual([
      expect.stringMatching(/^ircChannels\[1\]: expected a channel with leading #, .*can’t join one with a slash/),
    ]);
  });
}

test('owners are named by login or by subject, and there is at least one', async () => {
  const none = [/^settings\.ownerLogins: expected at least 1 owner, here or in settings\.ownerSubjects/];
  for (const [settings, problems] of [
    [{ ownerLogins: [], ownerSubjects: ['248289761001'] }, []],
    [{ ownerLogins: ['ada'], ownerSubjects: ['248289761001'] }, []],
    [{ ownerLogins: [] }, none],
    [{ ownerLogins: [], ownerSubjects: [] }, none],
    [{ ownerLogins: [], ownerSubjects: [''] }, [/^settings\.ownerSubjects/]],
    [{ ownerLogins: [], ownerSubjects: [248289761001] }, [/^settings\.ownerSubjects/]],
  ] as const) {
    expect(await problemsWith({ settings })).toEqual(problems.map((words) => expect.stringMatching(words)));
  }
});

test('a base address may be https, or http on the machine itself', async () => {
  for (const baseUrl of [
    'https://irc.example.org:8443',
    'http://127.0.0.1:8460',
    'http://localhost',
    'http://[::1]:1',
  ]) {
    expect(await problemsWith({ baseUrl })).toEqual([]);
  }
});

for (const uri of [
  'https://actions.example/callback#fragment',
  'https://*.example/callback',
  'https://ada@actions.example/callback',
  'http://actions.example/callback',
  'https://actions.example/call back',
  'https://actions.example/call\nback',
  'com.example.app:/callback',
]) {
  test(`the redirect address ${JSON.stringify(uri)} of the legacy client is refused, naming which it is`, async () => {
    expect(await problemsWith({ oauthRedirectUris: ['https://actions.example/callback', uri] })).toEqual([
      `oauthRedirectUris[1]: expected ${REDIRECT_URI}, received ${JSON.stringify(uri)}`,
    ]);
  });
}

test('redirect addresses may be https, or http on the machine itself', async () => {
  const oauthRedirectUris = [
    'https://actions.example',
    'https://actions.example:8443/call%20back?a=b&c="d"',
    'http://127.0.0.1:9/callback',
    'http://localhost/callback',
    'http://[::1]:9/callback',
  ];
  expect(await problemsWith({ oauthRedirectUris })).toEqual([]);
});

test('a legacy client without a redirect address is refused', async () => {
  expect(await problemsWith({ legacyClient: { id: 'old', secretFile: '/secret' } })).toEqual([
    'oauthRedirectUris: expected at least 1 redirect URI, because there is a legacyClient, received a list of 0',
  ]);
});

const REFUSED_PROXIES = [
  '10.0.0.0/99',
  '10.0.0.0/33',
  '10.0.0.0/0',
  '10.0.0.0/',
  '10.0.0/8',
  '256.0.0.1',
  '127.1',
  '::1/129',
  '::/0',
  '1:2:3',
  ':::',
  '::1::',
  'fe80::12345',
  '::ffff:1.2.3',
  '::1.2.3.4',
  'loopback',
];

for (const proxy of REFUSED_PROXIES) {
  test(`the proxy ${proxy} is refused, naming which it is`, async () => {
    expect(await problemsWith({ trustedProxies: ['127.0.0.1', proxy] })).toEqual([
      `trustedProxies[1]: expected ${PROXY}, received "${proxy}"`,
    ]);
  });
}

test('proxies may be addresses and networks of both families', async () => {
  const trustedProxies = ['127.0.0.1', '10.1.0.0/16', '::1', 'fd00::/8', '::ffff:192.0.2.1', '2001:DB8::1/128'];
  expect(await problemsWith({ trustedProxies })).toEqual([]);
});

test('the server can use each address that is accepted as a proxy', () => {
  const bits = fc.option(fc.integer({ min: 0, max: 130 }));
  const proxies = fc
    .tuple(fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{1,20}$/)), bits)
    .map(([address, count]) => (count === null ? address : `${address}/${count}`));
  fc.assert(
    fc.property(proxies, (proxy) => {
      if (!connectorConfig.safeParse({ ...MINIMAL, trustedProxies: [proxy] }).success) return;
      expect(() => express().set('trust proxy', [proxy])).not.toThrow();
    }),
    { numRuns: 500 },
  );
});

for (const host of [
  '127.0.0.1:8080',
  '[::1]',
  'https://hooks.internal',
  'hooks.internal/path',
  'hooks internal',
  '',
  '*',
]) {
  test(`a callback host written "${host}" is refused, naming which it is`, async () => {
    expect(await problemsWith({ events: { allowCallbackHosts: ['localhost', host] } })).toEqual([
      `events.allowCallbackHosts[1]: expected a host name or an IP address, without port and brackets, received "${host}"`,
    ]);
  });
}

test('an address can name each host that is accepted as a callback host', () => {
  const hosts = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-z:._-]{1,20}$/));
  fc.assert(
    fc.property(hosts, (host) => {
      const events = { allowCallbackHosts: [host] };
      if (!connectorConfig.safeParse({ ...MINIMAL, events }).success) return;
      const rules = createHostRules([host]);
      expect(rules.isExempt(new URL(`https://${host.includes(':') ? `[${host}]` : host}/`))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

for (const [why, listen, metricsListen] of [
  ['of the same address', { port: 8460 }, { port: 8460 }],
  ['of one address and of all', { address: '192.0.2.1', port: 9000 }, { address: '::', port: 9000 }],
  ['of all IPv4 addresses and of one', { address: '0.0.0.0', port: 9000 }, { address: '127.0.0.1', port: 9000 }],
] as const) {
  test(`metrics on the same port ${why} are refused, naming their port`, async () => {
    expect(await problemsWith({ listen, metricsListen })).toEqual([
      `metricsListen.port: expected a port other than listen.port, or another address, received ${listen.port}`,
    ]);
  });
}

test('metrics may have the same port of another address', async () => {
  const listen = { address: '127.0.0.1', port: 9000 };
  for (const address of ['127.0.0.2', '::1', '192.0.2.1']) {
    expect(await problemsWith({ listen, metricsListen: { address, port: 9000 } })).toEqual([]);
  }
  expect(
    await problemsWith({ listen: { ...listen, address: '0.0.0.0' }, metricsListen: { address: '::1', port: 9000 } }),
  ).toEqual([]);
});

const PROVIDER = 'an https address without a slash at the end (http only on 127.0.0.1, localhost or [::1])';
const withGithub = (changes: object) => ({
  identityProvider: { github: { clientId: 'x', clientSecretFile: '/secret', ...changes } },
});

test('people may sign in with GitHub, or at an address of the same kind', async () => {
  expect(connectorConfig.parse({ ...MINIMAL, ...withGithub({}) }).identityProvider).toEqual({
    github: { url: 'https://github.com', clientId: 'x', clientSecretFile: '/secret' },
  });
  for (const url of ['https://git.example.org', 'https://example.org:3000/git', 'http://[::1]:3000/git']) {
    expect(await problemsWith(withGithub({ url, apiUrl: `${url}/api/v1` }))).toEqual([]);
  }
});

for (const url of [
  'http://git.example.org',
  'https://github.com/',
  'https://example.org/git/',
  'https://ada@github.com',
  'https://github.com?x',
  'https://github.com#x',
  'https://git\thub.com',
  'http://127.0.0.1.example.org',
  'github.com',
]) {
  test(`the address ${JSON.stringify(url)} of a provider like GitHub is refused`, async () => {
    for (const key of ['url', 'apiUrl']) {
      expect(await problemsWith(withGithub({ [key]: url }))).toEqual([
        `identityProvider.github.${key}: expected ${PROVIDER}, received ${JSON.stringify(url)}`,
      ]);
    }
  });
}

test('one identity provider is chosen, not two and not none', async () => {
  const { oidc } = MINIMAL.identityProvider;
  const { github } = withGithub({}).identityProvider;

  for (const identityProvider of [{}, { oidc, github }]) {
    expect(await problemsWith({ identityProvider })).toEqual([
      expect.stringContaining(
        'identityProvider: expected one of { oidc } or { github }, such as {"oidc":{"issuer":"https://id.example.org","clientId":"…","clientSecretFile":"…"}}, received',
      ),
    ]);
  }
});

/** A configuration with these networks beside one of the name main. */
const withNetworks = (...otherNetworks: readonly object[]) =>
  problemsWith({ bouncer: { soju: { network: { address: 'ircs://irc.example.org' }, otherNetworks } } });

test('networks that people may choose have names of their own', async () => {
  const address = 'ircs://irc.example.net';

  expect(await withNetworks({ name: 'other', address }, { name: 'third', address })).toEqual([]);
  expect(await withNetworks({ name: 'main', address })).toEqual([
    'bouncer.soju.otherNetworks: expected networks of different names, received "main"',
  ]);
  expect(await withNetworks({ name: 'other', address }, { name: 'other', address })).toEqual([
    'bouncer.soju.otherNetworks: expected networks of different names, received "other"',
  ]);
  expect(await withNetworks({ address })).toEqual([expect.stringContaining('bouncer.soju.otherNetworks[0].name')]);
});

/** Returns the loader's problems with a configuration with these changes; empty when it accepts it. */
async function problemsWith(changes: Record<string, unknown>): Promise<readonly string[]> {
  await using folder = await tempFolder();
  try {
    await loadConfig(await writeConfig(join(folder.path, 'config'), { ...MINIMAL, ...changes }), connectorConfig);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
