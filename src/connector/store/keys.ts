import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Keys } from '../ports/keys.ts';
import { SEAL_KEY_BYTES } from './seal.ts';

const RSA_BITS = 2048;

const KeyFile = z.object({
  sealKey: z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((key) => key.length === SEAL_KEY_BYTES),
  cookieKeys: z.array(z.string().min(32)).min(1),
  signingKey: z.record(z.string(), z.unknown()).refine(isPrivateRsa),
});

/** The keys that a text has; undefined when it has anything else. */
export function keysOf(text: string): Keys | undefined {
  const parsed = KeyFile.safeParse(jsonOf(text));
  return parsed.success ? parsed.data : undefined;
}

/** The text of new keys. */
export function newKeys(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
  return JSON.stringify({
    sealKey: randomBytes(SEAL_KEY_BYTES).toString('base64'),
    cookieKeys: [randomBytes(SEAL_KEY_BYTES).toString('base64url')],
    signingKey: { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' },
  });
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
