import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { LoginKey } from '../domain/login.ts';
import type { Network } from '../domain/network.ts';
import type { Bouncer } from '../ports/bouncer.ts';
import type { Callbacks } from '../ports/callbacks.ts';
import type { ConsentStore } from '../ports/consents.ts';
import type { Presence } from '../ports/presence.ts';
import type { Seal } from '../ports/seal.ts';
import type { Store } from '../ports/store.ts';

/** The owner's settings that the use cases need. */
export interface ServiceSettings {
  ownerLogins: readonly string[];
  /** Owners by their subject at `issuer`. */
  ownerSubjects: readonly string[];
  /** The configured identity provider. */
  issuer: string;
  /** How logins are compared where people sign in. */
  loginKey: LoginKey;
  /** Whether only somebody in charge gives a login to another person there; else an owner's login stays with its person. */
  loginsAreGiven: boolean;
  maxUsers: number;
  /** Whether people may have tokens that no client has asked for. */
  personalTokens?: boolean | undefined;
  ircChannels: readonly string[];
  /** The one of people who have chosen none. */
  network: Network;
  /** Further ones that people may choose. */
  otherNetworks?: readonly Network[] | undefined;
  retention: { days: number; entriesPerAccount: number };
  /** Where a person changes what they approved. */
  settingsUrl: string;
}

/** Everything a use case may reach. */
export interface ServiceContext {
  store: Store;
  /** What people allow clients. */
  consents: ConsentStore;
  bouncer: Bouncer;
  /** The receivers of events. */
  callbacks: Callbacks;
  presence: Presence;
  /** Makes page tokens that nobody can forge. */
  seal: Seal;
  clock: Clock;
  log: Logger;
  settings: ServiceSettings;
}
