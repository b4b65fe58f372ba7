import type { Client, Provider } from 'oidc-provider';
import { secretMatcher } from '../../kernel/http/bearer.ts';
import { secretHash } from '../domain/ids.ts';

/** Prefix of a stored hash of a secret. Earlier versions stored the secret itself. */
const HASHED = 'sha256:';

/** A client's registration with the hash of its secret in the secret's place. */
export function withHashedSecret<T extends { client_secret?: unknown }>(registration: T): T {
  const { client_secret: secret } = registration;
  return typeof secret === 'string' ? { ...registration, client_secret: HASHED + secretHash(secret) } : registration;
}

/** Lets the library compare a presented secret with the stored hash or secret. */
export function compareHashedSecrets(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function compare(this: Client, presented: string): boolean {
    return isSecretOf(this.clientSecret ?? '', presented);
  };
}

/** Whether a secret equals the known one, or has the known hash. */
export function isSecretOf(known: string, presented: string): boolean {
  if (known === '') return false;
  const hash = known.startsWith(HASHED) ? known.slice(HASHED.length) : secretHash(known);
  return secretMatcher(hash)(secretHash(presented));
}
