import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { LoginKey } from '../domain/login-name.ts';
import type { Network } from '../domain/network.ts';
import type { Bouncer } from '../ports/bouncer.ts';
import type { Callbacks } from '../ports/callbacks.ts';
import type { ConsentStore } from '../ports/consent-store.ts';
import type { Presence } from '../ports/presence.ts';
import type { Seal } from '../ports/seal.ts';
import type { Store } from '../ports/store.ts';

/** Settings of the owner that the use cases need. */
export interface ServiceSettings {
  ownerLogins: readonly string[];
  /** Owners by their subject at `issuer`. */
  ownerSubjects: readonly string[];
  /** The configured identity provider. */
  issuer: string;
  /** Maps a login to its key, as the identity provider compares logins. */
  loginKey: LoginKey;
  /**
   * Whether an administrator of the identity provider assigns logins; else a person may take a login that was given up,
   * and an owner's login stays with its person.
   */
  loginsAreGiven: boolean;
  maxUsers: number;
  /** Whether people may create tokens for agents without a browser. */
  personalTokens?: boolean | undefined;
  ircChannels: readonly string[];
  /** The network of people who have not chosen one. */
  network: Network;
  /** Further networks that people may choose. */
  otherNetworks?: readonly Network[] | undefined;
  retention: { days: number; entriesPerAccount: number };
  /** Page where a person changes what they approved. */
  settingsUrl: string;
}

/** Everything that a use case may reach. */
export interface ServiceContext {
  store: Store;
  /** Consents that people have given to clients. */
  consents: ConsentStore;
  bouncer: Bouncer;
  /** Webhook client for the receivers of events. */
  callbacks: Callbacks;
  presence: Presence;
  /** Encrypts page tokens, so that they can't be forged. */
  seal: Seal;
  clock: Clock;
  log: Logger;
  settings: ServiceSettings;
}
