import { ConnectorError, historyBusy } from '../errors.ts';
import type { ServiceContext } from './context.ts';
import { isOwner } from './is-owner.ts';

/**
 * Removes a person. All access ends at once; the history and the user in the bouncer are removed in the background, as
 * soon as the bouncer answers. An account that does not exist counts as removed.
 * @throws ConnectorError owner_not_removable, so that owners cannot shut themselves out; history_busy while an owner
 * downloads the history. A download by the removed person does not delay the removal: it breaks off.
 */
export async function removeAccount(context: ServiceContext, accountId: string): Promise<void> {
  const { store, presence, log } = context;
  const account = await store.accounts.find(accountId);
  if (account === undefined) return;
  if (isOwner(context, account)) {
    throw new ConnectorError(
      'owner_not_removable',
      'an owner can’t be removed: take them out of settings.ownerLogins and ownerSubjects first',
    );
  }
  if ((await store.downloads.readersOf(accountId)).some((readerId) => readerId !== accountId)) {
    throw historyBusy(
      'an owner is downloading the history of this person at this moment, and what is not in the file yet would be lost',
    );
  }
  await store.removals.close(accountId);
  log.info({ account: accountId }, 'removed: no person or agent has access to this account any more');
  await presence.end(accountId);
}
