import { approvedNetworks, type Network, networkOf } from '../domain/network.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount } from './require-account.ts';

export interface NetworkChoice extends Network {
  isChosen: boolean;
}

/** The networks that the account may be on. A single one leaves no choice. */
export async function networks(context: ServiceContext, accountId: string): Promise<NetworkChoice[]> {
  const account = await requireAccount(context, accountId);
  const chosen = networkOf(account.network, context.settings);
  return approvedNetworks(context.settings).map(({ name, address }) => ({
    ...{ name, address },
    isChosen: name === chosen.name,
  }));
}

/**
 * Moves the account to another network, at once while it is online. Returns false if the bouncer will follow later.
 * @throws ConnectorError network_unknown, account_busy
 */
export async function chooseNetwork(
  { presence, settings }: ServiceContext,
  accountId: string,
  name: string,
): Promise<boolean> {
  const approved = approvedNetworks(settings).map((network) => network.name);
  if (!approved.includes(name)) {
    throw new ConnectorError('network_unknown', `${name} is not one of the approved networks: ${approved.join(', ')}`);
  }
  return presence.chooseNetwork(accountId, name);
}
