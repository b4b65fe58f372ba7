import type { Logger } from '../../kernel/log.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Interval at which the holder looks for orders of other processes, which may have missed their notices. */
const INTERVAL_MS = 500;
/** The same while no other process serves: it learns by its heartbeats that one does. */
const ALONE_MS = 2_000;

export interface OrderTakingOptions {
  takeOrders: () => Promise<void>;
  invalidations: Pick<Invalidations, 'on' | 'freshness'>;
  log: Logger;
}

/** Takes the orders that other processes have stored: at an interval, and as soon as one is reported. */
export function startTakingOrders({ takeOrders, invalidations, log }: OrderTakingOptions): Repeated {
  const everyMs = (): number => (invalidations.freshness.alone() === undefined ? INTERVAL_MS : ALONE_MS);
  const taking = repeat({ failure: 'orders for accounts could not be taken', everyMs, log }, takeOrders);
  invalidations.on('orders', () => taking.wake());
  return taking;
}
