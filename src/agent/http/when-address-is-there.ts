import type { Clock } from '../../kernel/clock.ts';
import { StartError, systemCodeOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { poll } from '../../kernel/poll.ts';
import type { ServiceManager } from '../../kernel/systemd/notify.ts';

/** Longest wait, shorter than systemd's limit for a start. After it the start fails, and systemd begins another one. */
const WAIT_MS = 30_000;
const LOOK_AGAIN_MS = 500;

/** Error codes for an address that the machine does not have, or cannot look up, but may have in a moment. */
const NOT_YET_CODES: readonly (string | undefined)[] = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/**
 * Listens. If systemd has started the agent, it waits until the machine has the address: a tunnel may come up after the
 * network, or be down for days, and a restart every two seconds would cost CPU and fill the journal. A person who
 * starts the agent by hand gets the error at once.
 * @throws StartError
 */
export async function whenAddressIsThere<T>(
  listenNow: () => Promise<T>,
  { manager, clock, log }: { manager: ServiceManager; clock: Clock; log: Logger },
): Promise<T> {
  let last: StartError | undefined;
  const look = async (): Promise<{ listening: T } | undefined> => {
    try {
      return { listening: await listenNow() };
    } catch (error) {
      const isNotYet = error instanceof StartError && NOT_YET_CODES.includes(systemCodeOf(error.cause));
      if (!manager.isThere || !isNotYet) throw error;
      const isFirst = last === undefined;
      last = error;
      if (isFirst) {
        log.warn({ reason: error.message }, 'waiting for the address to listen at');
        await manager.waiting(error.message);
      }
      return undefined;
    }
  };
  const found = await poll(look, { everyMs: LOOK_AGAIN_MS, withinMs: WAIT_MS, nowMs: () => clock.monotonic() });
  if (found === undefined) throw last;
  return found.listening;
}
