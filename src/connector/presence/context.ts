import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Account } from '../domain/account.ts';
import { type ApprovedNetworks, networkOf } from '../domain/network.ts';
import type { Bouncer } from '../ports/bouncer.ts';
import type { Store } from '../ports/store.ts';

/** Everything an account's presence may reach. */
export interface PresenceContext {
  store: Store;
  bouncer: Bouncer;
  clock: Clock;
  log: Logger;
  settings: ApprovedNetworks<{ name: string }>;
}

/** Name of the network that an account has chosen, or of the usual one. */
export const networkNameOf = ({ settings }: PresenceContext, { network }: Pick<Account, 'network'>): string =>
  networkOf(network, settings).name;

/** The account as it is stored at the moment. */
export async function accountOf({ store }: PresenceContext, accountId: string): Promise<Account> {
  const account = await store.accounts.find(accountId);
  if (account === undefined) throw new Error('the account vanished');
  return account;
}
