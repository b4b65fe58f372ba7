import { randomBytes, randomInt } from 'node:crypto';

/** Random bytes of a secret, which must be impossible to guess. */
const SECRET_BYTES = 32;
/** Random bytes of an identifier, which must only be unique. */
const ID_BYTES = 12;
const CHANCE_STEPS = 1_000;

type IdKind = 'acc' | 'cli' | 'con' | 'dow' | 'ent' | 'log' | 'msg' | 'nlg' | 'ord' | 'prc' | 'run' | 'ses';

/** Returns a new public identifier such as `msg_…`; unique, not a secret. */
export function newId(kind: IdKind): string {
  return `${kind}_${randomBytes(ID_BYTES).toString('base64url')}`;
}

/** Returns a new secret: 256 bits, safe in a URL and in a cookie. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns a random number from 0 up to 1, so that accounts do not all wait for the same time. */
export const chance = (): number => randomInt(CHANCE_STEPS) / CHANCE_STEPS;
