import type { Network } from '../domain/network.ts';
import type { Orders } from './order-runs.ts';

/** Has the stored login tried by the process that holds the account. */
export async function askToLogIn(orders: Pick<Orders, 'ask'>, accountId: string): Promise<void> {
  await orders.ask({ accountId, kind: 'log_in' });
}

/** Has a certificate made by that process, which stores it. */
export async function askForCertificate(
  orders: Pick<Orders, 'ask'>,
  accountId: string,
  { name, address }: Network,
): Promise<void> {
  await orders.ask({ accountId, kind: 'make_certificate', argument: JSON.stringify({ name, address }) });
}
