import type { AccountSeen, Disturbance, FailedCall, Observations, Violation } from '../observations.ts';
import { violation } from './violation.ts';

/** Time after which everything works again: the next process has the sessions within 13 s, and attaches within seconds. */
export const HEALED_AFTER_MS = 30_000;

/** Checks that calls failed only as they may, and not in peace. */
export function checkCalls({ failures, disturbances }: Observations): Violation[] {
  return failures.flatMap((call) => {
    const { at, account, tool, why } = call;
    if (call.isLimit) return [];
    if (!call.isExpected) return [violation('unexpected refusal', `${tool}: ${why}`, { at, account })];
    if (isDisturbed(call, disturbances)) return [];
    return [violation('call failed in peace', `${tool}: ${why}`, { at, account })];
  });
}

const isDisturbed = ({ at }: FailedCall, disturbances: readonly Disturbance[]): boolean =>
  disturbances.some(({ from, to }) => at >= from && at <= to + HEALED_AFTER_MS);

/** Checks that each account was connected at the end. */
export function checkPresence(accounts: readonly AccountSeen[], quietSince: number): Violation[] {
  return accounts
    .filter(({ connectedAt }) => (connectedAt.at(-1) ?? 0) < quietSince)
    .map(({ name, connectedAt }) =>
      violation('account without a session', 'it was not seen connected after all was healed', {
        ...{ account: name, at: connectedAt.at(-1) },
      }),
    );
}
