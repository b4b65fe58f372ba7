import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Seal } from '../ports/seal.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const SEAL_KEY_BYTES = 32;

/** @param earlier keys that only open, the newest first */
export function createSeal(keyBytes: Buffer, earlier: readonly Buffer[] = []): Seal {
  const key = createSecretKey(keyBytes);
  const keys = [key, ...earlier.map((bytes) => createSecretKey(bytes))];
  const close = (text: string, place: string): string => closeWith(key, text, place);
  const open = (sealed: string, place: string): { text: string; by: KeyObject } => {
    let failure: unknown;
    for (const by of keys) {
      try {
        return { text: openWith(by, sealed, place), by };
      } catch (error) {
        // Keeps the newest key's error: a damaged text is mostly its own.
        failure ??= error;
      }
    }
    throw failure;
  };
  return {
    close,
    open: (sealed, place) => open(sealed, place).text,
    renew: (sealed, place) => {
      const { text, by } = open(sealed, place);
      return by === key ? undefined : close(text, place);
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
