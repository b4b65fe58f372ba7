import type { ConnectorConfig } from '../../schemas/connector.ts';
import { EXIT_CONFIG, StartError } from '../kernel/errors.ts';
import { databaseChoice, type ReadSecret } from './database-choice.ts';

/** A shorter admin token could be guessed. */
const ADMIN_TOKEN_MIN_CHARACTERS = 16;

export type Secrets = ReturnType<typeof readSecrets>;

/** All secrets are read before anything is opened, so that a missing one leaves nothing half-started. @throws StartError */
export function readSecrets(config: ConnectorConfig, read: ReadSecret) {
  const { legacyClient, oauthRedirectUris, adminTokenFile, identityProvider } = config;
  return {
    database: databaseChoice(config, read),
    identityProvider: read(identityProvider.oidc.clientSecretFile, 'identityProvider.oidc.clientSecretFile'),
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

function readAdminToken(file: string, read: ReadSecret): string {
  const token = read(file, 'adminTokenFile');
  if (token.length >= ADMIN_TOKEN_MIN_CHARACTERS) return token;
  throw new StartError(
    `adminTokenFile: ${file} must hold at least ${ADMIN_TOKEN_MIN_CHARACTERS} characters: openssl rand -hex 32 makes a token`,
    { exitStatus: EXIT_CONFIG },
  );
}
