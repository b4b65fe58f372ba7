import type { Account } from '../domain/account.ts';
import { channelKey } from '../domain/channel.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';
import { createAccount } from './create-account.ts';
import { isOwner, isOwnerLogin } from './is-owner.ts';

export interface Invitation {
  login: string;
  /** Channels to grant; every channel of the configuration if undefined. */
  channels?: readonly string[] | undefined;
  /**
   * Whether the login has passed to another person: the person who signed in with it before keeps their account,
   * without the login. Where logins are given, an owner's login passes by itself, when the other person signs in.
   */
  isNewPerson?: boolean | undefined;
}

/**
 * Invites a login, or replaces its grants; a known login is accepted even at the limit. An owner keeps every channel.
 * @throws ConnectorError channel_unknown, user_limit_reached
 * @spec connector#owner-invitation
 */
export async function invite(
  context: ServiceContext,
  { login, channels = context.settings.ircChannels, isNewPerson = false }: Invitation,
): Promise<Account> {
  const granted = grantable(context, { login, person: null }, channels);
  const passesByItself = context.settings.loginsAreGiven && isOwnerLogin(context, login);
  const account = await createAccount(context, {
    login,
    channels: granted,
    isNewPerson: isNewPerson && !passesByItself,
  });
  return grantExactly(context, account.accountId, grantable(context, account, channels));
}

/**
 * Replaces the grants of a person, also of one whose login another person has now. An owner keeps every channel.
 * @throws ConnectorError channel_unknown, account_unknown
 * @spec connector#owner-invitation
 */
export async function replaceGrants(
  context: ServiceContext,
  accountId: string,
  channels: readonly string[],
): Promise<Account> {
  const account = await context.store.accounts.find(accountId);
  if (account === undefined) throw new ConnectorError('account_unknown', 'this person has no account any more');
  return grantExactly(context, accountId, grantable(context, account, channels));
}

async function grantExactly(
  { store, presence }: ServiceContext,
  accountId: string,
  channels: readonly string[],
): Promise<Account> {
  const account = await store.accounts.replaceGrants(accountId, channels);
  await presence.channelsChanged(accountId);
  return account;
}

/** The channels to grant when these are chosen for the person. @throws ConnectorError channel_unknown */
function grantable(
  context: Pick<ServiceContext, 'settings'>,
  named: Pick<Account, 'login' | 'person'>,
  channels: readonly string[],
): readonly string[] {
  const { ircChannels } = context.settings;
  const chosen = channels.map((channel) => {
    // The configuration may spell the channel in another way than it is stored.
    const known = ircChannels.includes(channel)
      ? channel
      : ircChannels.find((each) => channelKey(each) === channelKey(channel));
    if (known !== undefined) return known;
    throw new ConnectorError('channel_unknown', `${channel} is not one of ircChannels: ${ircChannels.join(', ')}`);
  });
  return isOwner(context, named) ? ircChannels : [...new Set(chosen)];
}
