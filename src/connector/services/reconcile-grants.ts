import type { Account } from '../domain/account.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';
import { isOwner } from './is-owner.ts';

/** Applies a changed configuration: owners get every channel, and channels that are gone are revoked. */
export async function reconcileGrants(context: ServiceContext): Promise<void> {
  for (const account of await context.store.accounts.list()) {
    try {
      await reconcileAccount(context, account);
    } catch (error) {
      // An owner may have removed the account meanwhile.
      if (!(error instanceof ConnectorError && error.code === 'account_unknown')) throw error;
    }
  }
}

/** Makes the grants of one account fit the configuration, and returns the account. */
export async function reconcileAccount(context: ServiceContext, account: Account): Promise<Account> {
  const { accounts } = context.store;
  const { ircChannels } = context.settings;
  const granted = account.grants.map(({ channel }) => channel);
  const areAllowed = granted.every((channel) => ircChannels.includes(channel));
  if (!isOwner(context, account)) {
    return areAllowed ? account : accounts.restrictGrants(account.accountId, ircChannels);
  }
  return areAllowed && granted.length === ircChannels.length
    ? account
    : accounts.replaceGrants(account.accountId, ircChannels);
}
