import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Bouncer } from '../ports/bouncer.ts';
import type { Seal } from '../ports/seal.ts';
import type { Store } from '../ports/store.ts';

/** What the owner configured, as far as the use cases need it. */
export interface ServiceSettings {
  ownerLogins: readonly string[];
  maxUsers: number;
  ircChannels: readonly string[];
  network: { name: string; address: string };
  retention: { days: number; entriesPerAccount: number };
  /** Where a person changes what they approved. */
  settingsUrl: string;
}

/** Everything a use case may reach. */
export interface ServiceContext {
  store: Store;
  bouncer: Bouncer;
  /** Makes page tokens that only this service can have made. */
  seal: Seal;
  clock: Clock;
  log: Logger;
  settings: ServiceSettings;
}
