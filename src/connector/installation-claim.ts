import type { ConnectorConfig } from '../../schemas/connector.ts';
import { issuerOf } from './idp/index.ts';
import type { Keys } from './ports/keys.ts';
import { createSeal } from './store/aes-seal.ts';
import type { Installation, InstallationClaim } from './store/installation.ts';
import { keyFileIn } from './store/state-keys.ts';

/**
 * Keys and addresses that a database must belong to for this configuration.
 * @param keys undefined before the first start
 */
export function installationClaim(
  { baseUrl, previousBaseUrl, keysFile, stateDirectory }: ConnectorConfig,
  keys: Keys | undefined,
): InstallationClaim {
  return {
    seal: keys === undefined ? undefined : createSeal(keys.sealKey, keys.earlierSealKeys),
    keysAt: keysFile === undefined ? keyFileIn(stateDirectory) : `keysFile (${keysFile})`,
    baseUrl,
    previousBaseUrl,
  };
}

/** Facts of this configuration that the database records. */
export function installationOf({ baseUrl, identityProvider, bouncer: { soju } }: ConnectorConfig): Installation {
  return {
    baseUrl,
    issuer: issuerOf(identityProvider),
    networks: [soju.network, ...soju.otherNetworks].map(({ name }) => name),
  };
}
