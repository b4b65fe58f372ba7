import { createHash, randomBytes } from 'node:crypto';

/** Bits of randomness of what nobody may guess. */
const SECRET_BYTES = 32;
/** Bits of randomness of what must only be unique. */
const ID_BYTES = 12;

type IdKind = 'acc' | 'ent' | 'msg' | 'ses';

/** Random bytes of ids to come: asked for one by one they cost more than the ids of a flood may. */
let drawn = Buffer.alloc(0);
const DRAWN_AT_ONCE = 256 * ID_BYTES;

/** A new public identifier such as `msg_…`; unique, not a secret. */
export function newId(kind: IdKind): string {
  if (drawn.length === 0) drawn = randomBytes(DRAWN_AT_ONCE);
  const id = drawn.toString('base64url', 0, ID_BYTES);
  drawn = drawn.subarray(ID_BYTES);
  return `${kind}_${id}`;
}

/** A new secret: 256 bits, safe in a URL and in a cookie. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** What is stored in place of a secret with enough randomness to need no salt. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
