import { z } from 'zod';
import type { Seal } from '../ports/seal.ts';
import type { Callback } from '../ports/subscriptions.ts';

/** What is kept of a callback, encrypted: its address may be as good as a password, and its secret is needed to sign. */
export interface StoredCallback extends Callback {
  /** The secret before this one signs as well until then, for receivers that have not changed theirs yet. */
  former: { secret: string; until: number } | null;
}

const Stored = z.object({
  url: z.string(),
  secret: z.string(),
  former: z.object({ secret: z.string(), until: z.number() }).nullable(),
});

export const sealCallback = (seal: Seal, subscriptionId: string, callback: StoredCallback): string =>
  seal.close(JSON.stringify(callback), placeOf(subscriptionId));

/** Undefined for one that the present keys don't open: it is from before they were replaced. */
export function openCallback(seal: Seal, subscriptionId: string, sealed: string): StoredCallback | undefined {
  let text: string;
  try {
    text = seal.open(sealed, placeOf(subscriptionId));
  } catch {
    return undefined;
  }
  return Stored.parse(JSON.parse(text));
}

/** The secrets that sign at this time, the newest first. */
export const signingSecrets = ({ secret, former }: StoredCallback, now: number): string[] =>
  former !== null && former.until > now ? [secret, former.secret] : [secret];

const placeOf = (subscriptionId: string): string => `subscription/${subscriptionId}`;
