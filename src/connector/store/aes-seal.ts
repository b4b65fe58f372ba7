import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Seal } from '../ports/seal.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const SEAL_KEY_BYTES = 32;

/** A seal of several keys, each of which can close. */
export interface KeyedSeal extends Seal {
  /** Fingerprints of the keys, the newest first. */
  readonly ids: readonly string[];
  /** Fingerprint of the key that closes. */
  readonly inUse: string;
  /** Closes with this one of the keys from now on. */
  use(id: string): void;
  /** Returns the fingerprint of the key that opens a text. @throws Error as `open` does */
  idOf(sealed: string, place: string): string;
}

const FINGERPRINT_CHARACTERS = 16;

/** Fingerprint of a random key, which does not help to find it. */
export const fingerprint = (key: Buffer | string): string =>
  createHash('sha256')
    .update('key of homeport-connector ')
    .update(key)
    .digest('base64url')
    .slice(0, FINGERPRINT_CHARACTERS);

/** Creates a seal that closes with the first key. @param earlier further keys, the newest first */
export function createSeal(keyBytes: Buffer, earlier: readonly Buffer[] = []): KeyedSeal {
  const keys = [keyBytes, ...earlier].map((bytes) => ({ id: fingerprint(bytes), key: createSecretKey(bytes) }));
  let inUse = keys[0] as (typeof keys)[number];
  const close = (text: string, place: string): string => closeWith(inUse.key, text, place);
  const open = (sealed: string, place: string): { text: string; id: string } => {
    let failure: unknown;
    for (const { id, key } of keys) {
      try {
        return { text: openWith(key, sealed, place), id };
      } catch (error) {
        // Keeps the newest key's error: a damaged text is mostly its own.
        failure ??= error;
      }
    }
    throw failure;
  };
  return {
    ids: keys.map(({ id }) => id),
    get inUse() {
      return inUse.id;
    },
    use: (id) => {
      inUse = keys.find((each) => each.id === id) ?? inUse;
    },
    idOf: (sealed, place) => open(sealed, place).id,
    close,
    open: (sealed, place) => open(sealed, place).text,
    renew: (sealed, place) => {
      const { text, id } = open(sealed, place);
      return id === inUse.id ? undefined : close(text, place);
    },
  };
}

function closeWith(key: KeyObject, text: string, place: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
}

/** @throws Error when the key, the place or the content differs */
function openWith(key: KeyObject, sealed: string, place: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const content = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
}
