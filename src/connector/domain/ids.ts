import { createHash } from 'node:crypto';

/** Returns the hash that is stored in place of a secret; the secret is random enough to need no salt. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
