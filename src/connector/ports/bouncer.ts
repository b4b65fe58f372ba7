import type { Casemapping } from '../domain/casemapping.ts';
import type { CertificateFingerprints } from '../domain/login-at-network.ts';
import type { Network } from '../domain/network.ts';
import type { LoginAtBouncer, Password } from './bouncer-logins.ts';
import type { BouncerEvents, BouncerSession, UpstreamState } from './bouncer-session.ts';

/** The account's user in the bouncer; only the connector has its password. */
export interface BouncerUser {
  name: string;
  password: string;
  /** Network that the account chose; null for the default one. */
  network: string | null;
  /** Rule by which that network compares channels, as it last announced; `USUAL_CASEMAPPING` by default. */
  casemapping?: Casemapping;
}

export interface BouncerAccount {
  user: BouncerUser;
  nick: string;
}

/**
 * The bouncer's logins of its users. It offers a user's login to the network each time it connects, and does not report
 * the network's answer.
 * @throws ConnectorError bouncer_unreachable, provisioning_failed
 */
export interface BouncerLogins {
  at(user: BouncerUser): Promise<LoginAtBouncer>;
  /**
   * Sets the login from the next connection on. Null removes any login, a certificate too; without such a network it
   * has no effect.
   */
  set(user: BouncerUser, password: Password | null): Promise<void>;
  /**
   * Removes the login of any network of the user, found by its address and name. A network of another name at this
   * address counts, too, unless it is one of `others`: the configuration has renamed it.
   * @returns whether the present network was among them
   */
  forget(user: BouncerUser, network: Network, others: readonly string[]): Promise<boolean>;
  /** Makes a new key and a certificate, which replaces any other login from the next connection on. */
  makeCertificate(user: BouncerUser): Promise<CertificateFingerprints>;
  /** Returns the fingerprints of the offered certificate; undefined if no certificate is offered. */
  certificate(user: BouncerUser): Promise<CertificateFingerprints | undefined>;
}

export interface Bouncer {
  readonly logins: BouncerLogins;
  /**
   * Creates or changes the user and the network as wanted, and disconnects the user's other networks; no effect if all
   * is so already.
   * @throws ConnectorError bouncer_unreachable, provisioning_failed
   */
  provision(account: BouncerAccount): Promise<void>;
  /** Connects the network to its server under the nick, or disconnects it; a connected network stays as it is. */
  setOnline(user: BouncerUser, isOnline: boolean, nick?: string): Promise<void>;
  /** Reconnects the network under the nick, even if the bouncer considers it connected. */
  reconnect(user: BouncerUser, nick: string): Promise<void>;
  /**
   * Returns whether the network is connected; null if the bouncer answers but does not know. @throws ConnectorError
   * bouncer_unreachable
   */
  upstreamState(user: BouncerUser): Promise<UpstreamState>;
  /** Joins these channels and leaves all others, now or when the network connects. */
  setChannels(user: BouncerUser, channels: readonly string[]): Promise<void>;
  /**
   * Ends all sessions of the user by setting this password, which must be a new one: their unread lines are ignored. No
   * effect if the user does not exist.
   * @throws ConnectorError bouncer_unreachable, provisioning_failed
   */
  expelOthers(user: BouncerUser): Promise<void>;
  /**
   * Removes the user of this name with all their data in the bouncer; no effect if the user does not exist. @throws
   * ConnectorError bouncer_unreachable, provisioning_failed
   */
  removeUser(name: string): Promise<void>;
  /** Attaches to the user's session and resolves when it is registered. */
  attach(account: BouncerAccount, channels: readonly string[], events: BouncerEvents): Promise<BouncerSession>;
}
