import { createHash, randomBytes } from 'node:crypto';

/** Random bits of a secret, which nobody may guess. */
const SECRET_BYTES = 32;
/** Random bits of an identifier, which must only be unique. */
const ID_BYTES = 12;

type IdKind = 'acc' | 'ent' | 'msg' | 'ses';

/** A new public identifier such as `msg_…`; unique, not a secret. */
export function newId(kind: IdKind): string {
  return `${kind}_${randomBytes(ID_BYTES).toString('base64url')}`;
}

/** A new secret: 256 bits, safe in a URL and in a cookie. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The hash that is stored in place of a secret; the secret is random enough to need no salt. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
