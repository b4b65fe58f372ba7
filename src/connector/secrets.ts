import type { ConnectorConfig } from '../../schemas/connector.ts';
import { EXIT_CONFIG, StartError } from '../kernel/errors.ts';
import { CHANNEL_KEYS_OPTION, ChannelKeys, parseChannelKeys } from './channel-keys.ts';
import { databaseChoice, type Environment, type ReadSecret } from './database-choice.ts';
import type { IdentityProviderChoice } from './idp/index.ts';
import { type OutboundProxy, proxyOfEnvironment } from './outbound/proxy.ts';
import type { Keys } from './ports/keys.ts';
import { keysOf } from './store/key-file.ts';

/** Shortest admin token; a shorter one could be guessed. */
const ADMIN_TOKEN_MIN_CHARACTERS = 16;

export type Secrets = ReturnType<typeof readSecrets>;

/**
 * Reads all secrets before anything is opened, so that a missing one does not leave the program half-started.
 * @throws StartError
 */
export function readSecrets(config: ConnectorConfig, read: ReadSecret, environment: Environment) {
  const { legacyClient, oauthRedirectUris, adminTokenFile, identityProvider, keysFile } = config;
  return {
    database: databaseChoice(config, read),
    identityProvider: identityProviderChoice(identityProvider, read),
    /** Undefined if the keys are in the state directory. */
    keys: keysFile === undefined ? undefined : readKeys(keysFile, read),
    proxy: proxyChoice(config.outboundProxy, read, environment),
    channelKeys: readChannelKeys(config, read),
    adminToken: adminTokenFile === undefined ? undefined : readAdminToken(adminTokenFile, read),
    legacyClient:
      legacyClient === undefined
        ? undefined
        : {
            id: legacyClient.id,
            secret: read(legacyClient.secretFile, 'legacyClient.secretFile'),
            redirectUris: oauthRedirectUris,
          },
  };
}

/** @throws StartError */
function readChannelKeys(config: ConnectorConfig, read: ReadSecret): ChannelKeys {
  const { channelKeysFile } = config.bouncer.soju;
  return channelKeysFile === undefined
    ? new ChannelKeys()
    : parseChannelKeys(read(channelKeysFile, CHANNEL_KEYS_OPTION), config);
}

/**
 * Returns the proxy of the configuration, else that of the environment, as systemd or a shell sets it.
 * @throws StartError
 */
function proxyChoice(
  configured: ConnectorConfig['outboundProxy'],
  read: ReadSecret,
  environment: Environment,
): OutboundProxy | undefined {
  if (configured !== undefined) {
    const { url, credentialsFile, noProxy } = configured;
    const credentials =
      credentialsFile === undefined ? undefined : read(credentialsFile, 'outboundProxy.credentialsFile');
    return { url, credentials, noProxy: noProxy.map((host) => host.toLowerCase()) };
  }
  try {
    return proxyOfEnvironment(environment);
  } catch (error) {
    // The error's text may contain a password.
    throw new StartError('HTTPS_PROXY in the environment is not the address of a proxy, as http://HOST:PORT', {
      exitStatus: EXIT_CONFIG,
      cause: error instanceof TypeError ? undefined : error,
    });
  }
}

/** Returns the configured identity provider with its secret. @throws StartError */
function identityProviderChoice(
  configured: ConnectorConfig['identityProvider'],
  read: ReadSecret,
): IdentityProviderChoice {
  if ('github' in configured) {
    const { clientSecretFile, ...github } = configured.github;
    return { github: { ...github, clientSecret: read(clientSecretFile, 'identityProvider.github.clientSecretFile') } };
  }
  const { clientSecretFile, ...oidc } = configured.oidc;
  return { oidc: { ...oidc, clientSecret: read(clientSecretFile, 'identityProvider.oidc.clientSecretFile') } };
}

/** @throws StartError */
export function readKeys(file: string, read: ReadSecret): Keys {
  const keys = keysOf(read(file, 'keysFile'));
  if (keys !== undefined) return keys;
  throw new StartError(
    `keysFile: ${file} does not hold the connector's keys: give it the content of a keys.json that the connector has made in its state directory`,
    { exitStatus: EXIT_CONFIG },
  );
}

function readAdminToken(file: string, read: ReadSecret): string {
  const token = read(file, 'adminTokenFile');
  if (token.length >= ADMIN_TOKEN_MIN_CHARACTERS) return token;
  throw new StartError(
    `adminTokenFile: ${file} must hold at least ${ADMIN_TOKEN_MIN_CHARACTERS} characters: openssl rand -hex 32 makes a token`,
    { exitStatus: EXIT_CONFIG },
  );
}
