import { messageOf } from '../../kernel/errors.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';
import { finishRemovals } from './finish-removals.ts';
import { isOwner } from './is-owner.ts';

/**
 * Removes a person. All access ends at once; the history and the user in the bouncer go right after that, or as soon as the
 * bouncer answers. Does nothing for an account that does not exist.
 * @throws ConnectorError owner_not_removable, so that nobody shuts out themselves
 */
export async function removeAccount(context: ServiceContext, accountId: string): Promise<void> {
  const { store, log } = context;
  const account = await store.accounts.find(accountId);
  if (account === undefined) return;
  if (isOwner(context, account.login)) {
    throw new ConnectorError(
      'owner_not_removable',
      'an owner can’t be removed: take the login out of settings.ownerLogins first',
    );
  }
  await store.removals.close(accountId);
  log.info({ account: accountId }, 'removed: nobody has access to this account any more');
  try {
    await finishRemovals(context, new AbortController().signal);
  } catch (error) {
    log.warn({ account: accountId, reason: messageOf(error) }, 'what is left of a removed account goes later');
  }
}
