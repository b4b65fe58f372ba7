import { spelled } from '../../kernel/systemd/run-command.ts';

/** Values that only the machine's owner knows. */
interface Answers {
  baseUrl: string;
  channels: string[];
  owners: string[];
  issuer: string;
  clientId: string;
  network: string;
}

const NOTHING: Answers = { baseUrl: '', channels: [], owners: [], issuer: '', clientId: '', network: '' };

const EXAMPLES: Answers = {
  baseUrl: 'https://irc.example.org',
  channels: ['#homeport'],
  owners: ['ada'],
  issuer: 'https://id.example.org',
  clientId: 'homeport',
  network: 'ircs://irc.example.net',
};

const configOf = ({ baseUrl, channels, owners, issuer, clientId, network }: Answers) => ({
  baseUrl,
  ircChannels: channels,
  settings: { ownerLogins: owners },
  identityProvider: { oidc: { issuer, clientId, clientSecretFile: '$CREDENTIALS_DIRECTORY/oidc' } },
  bouncer: { soju: { network: { address: network } } },
  adminTokenFile: '$CREDENTIALS_DIRECTORY/admin',
  // Addresses of the HTTPS proxy on this machine.
  trustedProxies: ['127.0.0.1', '::1'],
});

/**
 * Configuration that is written where it is missing. It is invalid until its blanks are filled in, so that the service
 * does not start with it.
 */
export const firstConfig = configOf(NOTHING);

/** The same configuration with examples, to show the resulting unit. */
export const exampleConfig = configOf(EXAMPLES);

/** Steps that complete the first configuration. */
export function firstSteps(configFile: string, secretFolder: string): string[] {
  return [
    `now fill in ${configFile}:`,
    `  baseUrl                                the address under which people and agents reach the connector, as ${EXAMPLES.baseUrl}`,
    `  ircChannels                            the channels that may be granted, as ${EXAMPLES.channels.join()}`,
    `  settings.ownerLogins                   the logins of the owners at the identity provider, as ${EXAMPLES.owners.join()}`,
    `  identityProvider.oidc.issuer, clientId the OpenID Connect provider, as ${EXAMPLES.issuer}, and the client id that it knows`,
    `  bouncer.soju.network.address           the IRC server, as ${EXAMPLES.network}`,
    "then the client's secret (paste it, then Ctrl-D):",
    `  ${spelled(['sudo', 'install', '-m', '600', '/dev/stdin', `${secretFolder}/oidc`])}`,
    'then run install-units again, which starts the service',
  ];
}
