import type { Permit } from '../irc/permit.ts';
import type { Claim } from '../ports/claims.ts';

/**
 * Permits all actions at the bouncer as long as no other process can have the database.
 * @param handOver whether another process is about to attach
 */
export function permitOf(
  claim: Pick<Claim, 'isTrusted' | 'onDoubt'>,
  handOver: { readonly isUnderWay: boolean },
): Permit {
  const listeners = new Set<() => void>();
  claim.onDoubt(() => {
    for (const ended of [...listeners]) ended();
  });
  return {
    isGiven: () => claim.isTrusted(),
    get isHandingOver() {
      return handOver.isUnderWay;
    },
    onEnd: (ended) => {
      listeners.add(ended);
      return () => void listeners.delete(ended);
    },
  };
}
