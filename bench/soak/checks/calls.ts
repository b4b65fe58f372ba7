import type { AccountSeen, Disturbance, FailedCall, Observations, Violation } from '../observations.ts';
import { violation } from './violation.ts';

/** Time after which all calls are answered that need the database alone: the next process has it within 13 s. */
const HEALED_AFTER_MS = 30_000;
/** Then the accounts attach, a few at a time: on two busy processors that took a second for each. */
const ATTACHED_AFTER_MS = 1_000;
/** Tools that need a session with the bouncer. */
const NEED_A_SESSION = ['send_message'];

/** Checks that calls failed only as they may, and not in peace. */
export function checkCalls({ accounts, failures, disturbances }: Observations): Violation[] {
  return failures.flatMap((call) => {
    const { at, account, tool, why } = call;
    if (call.isLimit) return [];
    if (!call.isExpected) return [violation('unexpected refusal', `${tool}: ${why}`, { at, account })];
    const attachedMs = NEED_A_SESSION.includes(tool) ? accounts.length * ATTACHED_AFTER_MS : 0;
    if (isDisturbed(call, disturbances, HEALED_AFTER_MS + attachedMs)) return [];
    return [violation('call failed in peace', `${tool}: ${why}`, { at, account })];
  });
}

const isDisturbed = ({ at }: FailedCall, disturbances: readonly Disturbance[], healedMs: number): boolean =>
  disturbances.some(({ from, to }) => at >= from && at <= to + healedMs);

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
