import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Keys } from '../ports/keys.ts';
import { SEAL_KEY_BYTES } from './seal.ts';

const RSA_BITS = 2048;

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

/** The keys that a text has; undefined when it has anything else. */
export function keysOf(text: string): Keys | undefined {
  const parsed = KeyFile.safeParse(jsonOf(text));
  return parsed.success ? parsed.data : undefined;
}

/** The text of keys, as `keysOf` reads it. */
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
 * New keys, with those before them as far as something still depends on them: what is encrypted, and the cookies of people
 * who are just deciding. Nothing that anybody keeps is signed.
 */
export function keysAfter(before: Keys): Keys {
  const fresh = newKeys();
  return {
    ...fresh,
    earlierSealKeys: [before.sealKey, ...before.earlierSealKeys],
    cookieKeys: [...fresh.cookieKeys, ...before.cookieKeys.slice(0, 1)],
  };
}

function isPrivateRsa(key: JsonWebKey): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey({ key, format: 'jwk' });
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS;
  } catch {
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
