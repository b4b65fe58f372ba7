import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Bouncer } from '../ports/bouncer.ts';
import type { Store } from '../ports/store.ts';

/** Everything an account's presence may reach. */
export interface PresenceContext {
  store: Store;
  bouncer: Bouncer;
  clock: Clock;
  log: Logger;
  settings: { network: { name: string } };
}
