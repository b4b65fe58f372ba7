import type { Logger } from '../../kernel/log.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Interval at which the holder looks for orders of other processes: that of the heartbeats. */
const INTERVAL_MS = 2_000;

export interface OrderTakingOptions {
  takeOrders: () => Promise<void>;
  invalidations: Pick<Invalidations, 'on'>;
  log: Logger;
}

/** Takes the orders that other processes have stored: at an interval, and as soon as one is reported. */
export function startTakingOrders({ takeOrders, invalidations, log }: OrderTakingOptions): Repeated {
  const taking = repeat({ failure: 'orders for accounts could not be taken', everyMs: INTERVAL_MS, log }, takeOrders);
  invalidations.on('orders', () => taking.wake());
  return taking;
}
