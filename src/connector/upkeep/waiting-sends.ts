import type { Logger } from '../../kernel/log.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import type { MessageStore } from '../ports/message-store.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Interval of looks for sends of other processes. */
const INTERVAL_MS = 1_000;

export interface WaitingSendsOptions {
  messages: Pick<MessageStore, 'accountsWaiting'>;
  /** Reports at once that another process has stored a send; and whether there are others. */
  invalidations: Invalidations;
  /** The sessions, which write. */
  presences: { writeStored(accountId: string): void; lookForStored(accountId: string): void };
  log: Logger;
}

/**
 * Lets the sessions write what other processes have accepted: at once when a notice comes, otherwise within a second. A
 * process that is alone asks nothing.
 */
export function startWaitingSends({ messages, invalidations, presences, log }: WaitingSendsOptions): Repeated {
  let wasShared = false;
  const passes = repeat(
    { failure: 'sends of other processes could not be looked for', everyMs: INTERVAL_MS, log },
    async () => {
      const isShared = invalidations.freshness.alone() === undefined;
      // Once more when the last of the others has gone.
      if (isShared || wasShared) for (const id of await messages.accountsWaiting()) presences.lookForStored(id);
      wasShared = isShared;
    },
  );
  invalidations.on('sends', (accountId) => {
    if (accountId === undefined) passes.wake();
    else presences.writeStored(accountId);
  });
  return passes;
}
