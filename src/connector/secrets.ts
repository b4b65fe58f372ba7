import type { ConnectorConfig } from '../../schemas/connector.ts';
import { StartError } from '../kernel/errors.ts';
import { databaseChoice, type ReadSecret } from './database-choice.ts';

export type Secrets = ReturnType<typeof readSecrets>;

/** All secrets are read before anything is opened, so that a missing one leaves nothing half-started. @throws StartError */
export function readSecrets(config: ConnectorConfig, read: ReadSecret) {
  const { legacyClient, oauthRedirectUris, adminTokenFile, identityProvider } = config;
  if (legacyClient !== undefined && oauthRedirectUris.length === 0) {
    throw new StartError('oauthRedirectUris: legacyClient needs at least one redirect URI');
  }
  return {
    database: databaseChoice(config, read),
    identityProvider: read(identityProvider.oidc.clientSecretFile, 'identityProvider.oidc.clientSecretFile'),
    adminToken: adminTokenFile === undefined ? undefined : read(adminTokenFile, 'adminTokenFile'),
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
