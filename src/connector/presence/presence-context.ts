import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Account } from '../domain/account.ts';
import type { Casemapping } from '../domain/casemapping.ts';
import { type ApprovedNetworks, type Network, networkOf } from '../domain/network.ts';
import type { Processes } from '../domain/share.ts';
import { accountRemoved } from '../errors.ts';
import type { Bouncer } from '../ports/bouncer.ts';
import type { Freshness, Invalidations } from '../ports/invalidations.ts';
import type { Store } from '../ports/store.ts';
import type { OwnAccounts } from './held-accounts.ts';

/** Dependencies of an account's presence. */
export interface PresenceContext {
  store: Store;
  bouncer: Bouncer;
  clock: Clock;
  log: Logger;
  /** Whether other processes serve on the same database; by default none does. */
  freshness?: Pick<Freshness, 'alone'>;
  /** Processes that serve on the same database; by default this one alone. */
  processes?: Processes;
  /** Given if this process acts for some of the accounts only; by default it acts for all. */
  owned?: OwnAccounts | undefined;
  /** Reaches the processes that act for other accounts. */
  invalidations?: Pick<Invalidations, 'invalidate' | 'on'>;
  settings: ApprovedNetworks<{ name: string; address?: string }>;
  /**
   * Returns the key of a network's channel, if the owner has configured one; if this is unset, no channel has a key.
   */
  channelKey?: (network: string, channel: string, casemapping: Casemapping | undefined) => string | undefined;
}

/** Returns the name of the network that an account has chosen, or of the default one. */
export const networkNameOf = ({ settings }: PresenceContext, { network }: Pick<Account, 'network'>): string =>
  networkOf(network, settings).name;

/** Returns that network with its address: a login is bound to both. */
export function approvedNetworkOf({ settings }: PresenceContext, { network }: Pick<Account, 'network'>): Network {
  const { name, address = '' } = networkOf(network, settings);
  return { name, address };
}

/** Returns the account as it is stored now. @throws ConnectorError account_removed */
export async function accountOf({ store }: PresenceContext, accountId: string): Promise<Account> {
  const account = await store.accounts.find(accountId);
  if (account === undefined) throw accountRemoved();
  return account;
}
