import { readSecretFile } from '../kernel/config/secret-file.ts';
import { StartError } from '../kernel/errors.ts';
import { bearerToken } from '../kernel/http/bearer.ts';

/** The option that names the file with the token. */
export const TOKEN_OPTION = 'agent.tokenFile';

/**
 * The token that hubs show. A token that no request could carry is refused: it would silently lock every hub out.
 * @throws StartError
 */
export function readToken(file: string, credentialsDirectory: string | undefined): string {
  const token = readSecretFile(file, TOKEN_OPTION, credentialsDirectory);
  if (bearerToken(`Bearer ${token}`) !== token) {
    throw new StartError(
      `agent.tokenFile: ${file} must hold one line of letters, digits and -._~+/ only: openssl rand -hex 32 makes one`,
    );
  }
  return token;
}
