/** Values that configuration.nix and the world around it share. */
export const facts = {
  host: 'irc.example.org',
  baseUrl: 'https://irc.example.org',
  owner: 'ada',
  channels: ['#homeport', '#garden'],
  callbackHosts: ['127.0.0.1', 'localhost'],
  ircPort: 6_668,
  agentPort: 9_105,
  identityProvider: { port: 8_080, clientId: 'homeport' },
  secrets: {
    'agent-token': 'agent-token-of-this-test',
    'oidc-client-secret': 'client-secret-of-this-test',
    'admin-token': 'admin-token-of-this-test',
  },
  /** Certificate of the proxy's own authority, in the container. */
  authority: '/var/lib/caddy/pki/authorities/local/root.crt',
} as const;
