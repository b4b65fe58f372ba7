import { poll } from '../../kernel/poll.ts';
import { sleep } from './sleep.ts';

/**
 * Resolves to true when the condition holds, or to false when it does not within this time. A condition that holds already
 * ends the wait before any other task of the account begins.
 */
export async function until(isTrue: () => boolean, withinMs: number, everyMs = 50): Promise<boolean> {
  return isTrue() || (await poll(() => isTrue() || undefined, { everyMs, withinMs, sleep })) === true;
}
