import type { Casemapping } from '../domain/casemapping.ts';
import type { BouncerEvents, BouncerSession, UpstreamState } from './bouncer-session.ts';

/** The account's user in the bouncer; only the connector knows its password. */
export interface BouncerUser {
  name: string;
  password: string;
  /** The network that the account chose; null for the usual one. */
  network: string | null;
  /** How that network compares channels, as it last announced; as networks usually do, unless this says otherwise. */
  casemapping?: Casemapping;
}

export interface BouncerAccount {
  user: BouncerUser;
  nick: string;
}

export interface Bouncer {
  /**
   * Makes the user and the network exist as wanted, and no other network of theirs connected; does nothing where that is so.
   * @throws ConnectorError bouncer_unreachable, provisioning_failed
   */
  provision(account: BouncerAccount): Promise<void>;
  /** Connects the network to its server under the nick, or disconnects it; a network that is connected is left alone. */
  setOnline(user: BouncerUser, isOnline: boolean, nick?: string): Promise<void>;
  /** Connects the network anew under the nick, even if the bouncer considers it connected. */
  reconnect(user: BouncerUser, nick: string): Promise<void>;
  /** Whether the network is connected; null when the bouncer answers but does not know. @throws ConnectorError bouncer_unreachable */
  upstreamState(user: BouncerUser): Promise<UpstreamState>;
  /** Joins these channels and leaves all others, now or when the network connects. */
  setChannels(user: BouncerUser, channels: readonly string[]): Promise<void>;
  /**
   * Ends all sessions of the user, of which nothing is heard from then on, by giving it this password, which is to be a new
   * one. @throws ConnectorError bouncer_unreachable, provisioning_failed
   */
  expelOthers(user: BouncerUser): Promise<void>;
  /** Removes the user of this name, and everything the bouncer keeps of them; does nothing where there is none. @throws ConnectorError bouncer_unreachable, provisioning_failed */
  removeUser(name: string): Promise<void>;
  /** Attaches to the user's session and resolves when it is registered. */
  attach(account: BouncerAccount, channels: readonly string[], events: BouncerEvents): Promise<BouncerSession>;
}
