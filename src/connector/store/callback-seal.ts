import { z } from 'zod';
import type { Seal } from '../ports/seal.ts';
import type { Callback } from '../ports/subscription-store.ts';

/**
 * Callback as it is encrypted in the database: its address may be as good as a password, and its secret is needed to
 * sign.
 */
export interface StoredCallback extends Callback {
  /** The previous secret also signs until then, for receivers that have not changed theirs yet. */
  former: { secret: string; until: number } | null;
}

const Stored = z.object({
  url: z.string(),
  secret: z.string(),
  former: z.object({ secret: z.string(), until: z.number() }).nullable(),
});

export const sealCallback = (seal: Seal, subscriptionId: string, callback: StoredCallback): string =>
  seal.close(JSON.stringify(callback), placeOf(subscriptionId));

/** Returns undefined if the present keys don't open it: it was encrypted before the keys were replaced. */
export function openCallback(seal: Seal, subscriptionId: string, sealed: string): StoredCallback | undefined {
  let text: string;
  try {
    text = seal.open(sealed, placeOf(subscriptionId));
  } catch {
    // None of the keys opens it.
    return undefined;
  }
  return Stored.parse(JSON.parse(text));
}

/** Returns the secrets that sign at this time, the newest first. */
export const signingSecrets = ({ secret, former }: StoredCallback, now: number): string[] =>
  former !== null && former.until > now ? [secret, former.secret] : [secret];

const placeOf = (subscriptionId: string): string => `subscription/${subscriptionId}`;
