import { wireEntry } from '../wire/entry.ts';
import type { ServiceContext } from './context.ts';

/** Entries read at once: whatever the history, no more of it is in memory. */
const STEP_ENTRIES = 500;

/**
 * Everything that is stored for the account as JSON Lines, one entry a line, in pieces of whole lines: channel by channel,
 * also those that are not granted any more, each in the order of arrival. What arrives meanwhile comes too.
 */
export async function* exportHistory({ store }: ServiceContext, accountId: string): AsyncGenerator<string, void> {
  for (const channel of await store.history.channels(accountId)) {
    let after = 0;
    for (;;) {
      const entries = await store.history.byArrival(accountId, channel, { after, limit: STEP_ENTRIES });
      const last = entries.at(-1);
      if (last === undefined) break;
      yield entries.map((entry) => `${JSON.stringify(wireEntry(entry))}\n`).join('');
      after = last.row;
    }
  }
}
