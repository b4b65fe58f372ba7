import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Keys } from '../ports/keys.ts';
import { SEAL_KEY_BYTES } from './aes-seal.ts';

const RSA_BITS = 2048;

/** Most bytes of a file of keys; real ones are far smaller. */
export const KEYS_MAX_BYTES = 1_048_576;

const SealKey = z
  .base64()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === SEAL_KEY_BYTES);

const KeyFile = z.object({
  sealKey: SealKey,
  earlierSealKeys: z.array(SealKey).default([]),
  cookieKeys: z.array(z.string().min(32)).min(1),
  signingKey: z.record(z.string(), z.unknown()).refine(isPrivateRsa),
});

/** Parses keys; undefined if the text has another form. */
export function keysOf(text: string): Keys | undefined {
  const parsed = KeyFile.safeParse(jsonOf(text));
  return parsed.success ? parsed.data : undefined;
}

/** Formats keys as `keysOf` parses them. */
export const textOf = ({ sealKey, earlierSealKeys, ...rest }: Keys): string =>
  JSON.stringify({
    sealKey: sealKey.toString('base64'),
    ...(earlierSealKeys.length === 0 ? {} : { earlierSealKeys: earlierSealKeys.map((key) => key.toString('base64')) }),
    ...rest,
  });

export function newKeys(): Keys {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
  return {
    sealKey: randomBytes(SEAL_KEY_BYTES),
    earlierSealKeys: [],
    cookieKeys: [randomBytes(SEAL_KEY_BYTES).toString('base64url')],
    signingKey: { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' },
  };
}

/**
 * Makes new keys and keeps the earlier ones that are still needed: for encrypted texts, and for the cookies of people
 * who are deciding on a consent. Signatures are not kept by clients, so the signing key is replaced.
 */
export function keysAfter(before: Keys, fresh = newKeys()): Keys {
  return {
    ...fresh,
    earlierSealKeys: [before.sealKey, ...before.earlierSealKeys],
    cookieKeys: [...fresh.cookieKeys, ...before.cookieKeys.slice(0, 1)],
  };
}

/** Returns the first keys, which also open what the second ones have encrypted. */
export function alsoOpening(first: Keys, second: Keys): Keys {
  const others = [...first.earlierSealKeys, second.sealKey, ...second.earlierSealKeys];
  const earlierSealKeys = others.filter(
    (key, index) => !key.equals(first.sealKey) && others.findIndex((other) => other.equals(key)) === index,
  );
  return { ...first, earlierSealKeys };
}

function isPrivateRsa(key: JsonWebKey): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey({ key, format: 'jwk' });
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS;
  } catch {
    // A key that can't be read is not one of these.
    return false;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses undefined, with a message that doesn't quote the text.
    return undefined;
  }
}
