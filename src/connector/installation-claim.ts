import type { ConnectorConfig } from '../../schemas/connector.ts';
import { issuerOf } from './idp/index.ts';
import type { Keys } from './ports/keys.ts';
import type { Installation, InstallationClaim } from './store/installation.ts';
import { createSeal } from './store/seal.ts';
import { keyFileIn } from './store/state-keys.ts';

/** What a database must have been encrypted with and used as, to be this configuration's. @param keys undefined if there are none yet */
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

/** What the database records of this configuration. */
export function installationOf({ baseUrl, identityProvider, bouncer: { soju } }: ConnectorConfig): Installation {
  return {
    baseUrl,
    issuer: issuerOf(identityProvider),
    networks: [soju.network, ...soju.otherNetworks].map(({ name }) => name),
  };
}
