import type { ServiceContext } from './context.ts';

/** Entries removed in one transaction: few, so that others need not wait long. */
const STEP_ENTRIES = 500;

/**
 * Removes everything that is stored for the account at this moment, in steps, and gives how many entries that was. It is not
 * stored again by a replay. Only a send that is still on its way stays.
 */
export async function deleteHistory({ store }: ServiceContext, accountId: string): Promise<number> {
  const newestRow = await store.retention.forgetStored(accountId);
  let deleted = 0;
  for (;;) {
    const count = await store.retention.removeUpTo(accountId, newestRow, STEP_ENTRIES);
    if (count === 0) return deleted;
    deleted += count;
  }
}
