import type { Account } from '../domain/account.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';
import { createAccount } from './create-account.ts';
import { isOwner } from './is-owner.ts';

export interface Invitation {
  login: string;
  /** Every channel of the configuration, where none are named. */
  channels?: readonly string[] | undefined;
}

/**
 * Invites a login, or replaces its grants; a known login is accepted even at the limit. An owner keeps every channel.
 * @throws ConnectorError channel_unknown, user_limit_reached
 * @spec connector#owner-invitation
 */
export async function invite(
  context: ServiceContext,
  { login, channels = context.settings.ircChannels }: Invitation,
): Promise<Account> {
  const { store, presence, settings } = context;
  requireKnown(channels, settings.ircChannels);
  const granted = isOwner(context, login) ? settings.ircChannels : [...new Set(channels)];
  const { accountId } = (await store.accounts.findByLogin(login)) ?? (await createAccount(context, login, granted));
  const account = await store.accounts.replaceGrants(accountId, granted);
  await presence.channelsChanged(accountId);
  return account;
}

function requireKnown(channels: readonly string[], known: readonly string[]): void {
  const unknown = channels.find((channel) => !known.includes(channel));
  if (unknown !== undefined) {
    throw new ConnectorError('channel_unknown', `${unknown} is not one of ircChannels: ${known.join(', ')}`);
  }
}
