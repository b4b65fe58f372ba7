import pino from 'pino';
import type { Freshness, Invalidations } from '../../src/connector/ports/invalidations.ts';
import type { Store } from '../../src/connector/ports/store.ts';
import { Presences } from '../../src/connector/presence/presences.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { obedientBouncer } from './bouncer-double.ts';

/** The presence at a process that acts for no account: all of it goes by the database. */
export const presenceElsewhere = (parts: {
  store: Store;
  clock: Clock;
  invalidations: Invalidations;
  freshness: Freshness;
}): Presences =>
  new Presences({
    ...parts,
    owned: parts.store.accounts,
    bouncer: obedientBouncer,
    log: pino({ level: 'silent' }),
    settings: { network: { name: 'main' } },
  });
