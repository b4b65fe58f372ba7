import type { Account } from '../domain/account.ts';
import { replaceGrants } from '../domain/channel.ts';
import { ConnectorError } from '../errors.ts';
import type { Presences } from '../presence/presences.ts';
import type { ServiceContext } from './context.ts';
import { createAccount } from './create-account.ts';
import { isOwner } from './is-owner.ts';

/**
 * Invites a login, or replaces its grants; a known login is accepted even at the limit.
 * @throws ConnectorError channel_unknown, user_limit_reached
 * @spec connector#owner-invitation
 */
export async function invite(
  context: ServiceContext,
  sessions: Presences,
  { login, channels = context.settings.ircChannels }: { login: string; channels?: readonly string[] | undefined },
): Promise<Account> {
  const { store, settings } = context;
  const unknown = channels.find((channel) => !settings.ircChannels.includes(channel));
  if (unknown !== undefined) {
    throw new ConnectorError(
      'channel_unknown',
      `${unknown} is not one of ircChannels: ${settings.ircChannels.join(', ')}`,
    );
  }
  const wanted = [...new Set(channels)];
  const known = await store.accounts.findByLogin(login);
  if (known === undefined) return createAccount(context, login, wanted);
  const grants = replaceGrants(known.grants, isOwner(context, login) ? settings.ircChannels : wanted);
  await sessions.of(known.accountId).setGrants(grants);
  return { ...known, grants };
}

/** Enables these of the granted channels and no others; false when the bouncer can't be told now. */
export async function enableChannels(
  sessions: Presences,
  account: Account,
  channels: readonly string[],
): Promise<boolean> {
  const grants = account.grants.map(({ channel }) => ({ channel, enabled: channels.includes(channel) }));
  return sessions.of(account.accountId).setGrants(grants);
}
