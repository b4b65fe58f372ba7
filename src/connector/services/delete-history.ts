import { historyBusy } from '../errors.ts';
import type { ServiceContext } from './context.ts';

/**
 * Removes all that is stored for the account at this moment, in the background and also after a restart. A replay does
 * not store it again. Only a send that is still on its way stays.
 * @throws RetryLater history_busy while its person downloads it; an owner's download breaks off
 */
export async function deleteHistory({ store }: ServiceContext, accountId: string): Promise<void> {
  if ((await store.downloads.readersOf(accountId)).includes(accountId)) {
    throw historyBusy('you are downloading your history at this moment, and what is not in the file yet would be lost');
  }
  await store.retention.forgetStored(accountId);
}

/** Whether entries that the person has deleted are still there. */
export async function isHistoryBeingDeleted({ store }: ServiceContext, accountId: string): Promise<boolean> {
  return (await store.history.state(accountId))?.isBeingDeleted ?? false;
}
