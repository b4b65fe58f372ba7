import type { Callbacks } from '../ports/callbacks.ts';
import type { Measurements } from '../ports/measurements.ts';

const SECOND_MS = 1_000;

/** Wraps the callbacks, counting and timing their outcomes. */
export function measuredCallbacks(
  callbacks: Callbacks,
  measurements: Measurements,
  monotonic: () => number,
): Callbacks {
  return {
    ...callbacks,
    verify: async (target) => {
      const failure = await callbacks.verify(target);
      measurements.callbackVerified(failure ?? 'verified');
      return failure;
    },
    deliver: async (delivery, isWanted) => {
      const startedAt = monotonic();
      const outcome = await callbacks.deliver(delivery, isWanted);
      if (outcome.kind !== 'withheld') {
        measurements.deliveryAttempted(outcome.kind, (monotonic() - startedAt) / SECOND_MS);
      }
      return outcome;
    },
  };
}
