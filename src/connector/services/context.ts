import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Bouncer } from '../ports/bouncer.ts';
import type { Presence } from '../ports/presence.ts';
import type { Seal } from '../ports/seal.ts';
import type { Store } from '../ports/store.ts';

/** The owner's settings that the use cases need. */
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
  presence: Presence;
  /** Makes page tokens that nobody can forge. */
  seal: Seal;
  clock: Clock;
  log: Logger;
  settings: ServiceSettings;
}
