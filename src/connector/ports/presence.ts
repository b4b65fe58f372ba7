import type { Network } from '../domain/network.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import type { UpstreamState } from './bouncer-session.ts';

/** Status of an account's session with the bouncer, at one moment. */
export interface PresenceStatus {
  /** Start of the session, milliseconds since 1970. */
  sessionSince: number;
  /** Nick in use, which may differ from the account's while another user has that. */
  nick: string;
  /** The network's reason for refusing the last requested nick; null if it did not refuse, or was not asked. */
  nickRefusal: string | null;
  upstream: UpstreamState;
  /** Whether the bouncer itself has answered in time. */
  isAnswering: boolean;
  joinedChannels: readonly string[];
  /** Channel → the server's reason why the account is not in it. */
  notJoined: Readonly<Record<string, string>>;
  /** Account at the IRC network that the person is logged in to, as the network reports; null without a report. */
  loggedInAs: string | null;
  /** Problems with the connection, the login or the completeness of history, in words. */
  problems: readonly string[];
}

/** A message to send, and its client. */
export interface SendOrder {
  clientId: string;
  /** The agent session that sends, if it names one. */
  sessionId: string | undefined;
  /** One of a client's sends under the same key is sent. */
  idempotencyKey: string | undefined;
  /** Name under which the channel is enabled. */
  channel: string;
  /** One line, as long as a message may be. */
  text: string;
  /** Whether it counts as a post, of which an account may make so many in a minute. */
  isPost?: boolean;
}

/** The presence of all accounts on IRC. Arguments and results are plain data. */
export interface Presence {
  /** Whether this process has the account's session, if there is one. */
  actsFor(accountId: string): Promise<boolean>;
  /** Undefined for an account without a session. */
  status(accountId: string): Promise<PresenceStatus | undefined>;
  /** Returns the statuses of all accounts with a session; there may be thousands. */
  statuses(): Promise<ReadonlyMap<string, PresenceStatus>>;
  /** Connects the account. @throws ConnectorError bouncer_unreachable, provisioning_failed, account_busy */
  goOnline(accountId: string): Promise<UpstreamState>;
  /** Disconnects the account for all clients. @throws ConnectorError bouncer_unreachable, account_busy */
  goOffline(accountId: string): Promise<void>;
  /** Follows the enabled channels; false if the bouncer can't be reached now: then a retry is planned. */
  channelsChanged(accountId: string): Promise<boolean>;
  /**
   * Requests the account's present nick from the network; resolves when it has answered, when the account is no longer
   * wanted online, or after a deadline.
   */
  nickChanged(accountId: string): Promise<void>;
  /**
   * Moves the account to another network; false if the bouncer can't be reached now: then a retry is planned. @throws
   * ConnectorError account_busy
   */
  chooseNetwork(accountId: string, name: string): Promise<boolean>;
  /**
   * Tries the stored login for the account's network; resolves when the network has answered, or after a deadline.
   * Without a connection it is tried as soon as there is one.
   * @throws ConnectorError bouncer_unreachable, provisioning_failed, account_busy
   */
  logIn(accountId: string): Promise<void>;
  /**
   * Makes a certificate for the account's network and stores it as its login, unless the account is on another network
   * by now.
   * @throws ConnectorError network_changed, bouncer_unreachable, provisioning_failed, account_busy
   */
  makeCertificate(accountId: string, seen: Network): Promise<void>;
  /** Follows a cleared login; false if the bouncer can't be reached now: then it follows when the account attaches. */
  loginCleared(accountId: string): Promise<boolean>;
  /**
   * Stores the message and sends it in its turn.
   * @throws ConnectorError bouncer_unreachable, idempotency_conflict, rate_limited, backlog_full, account_busy
   */
  send(accountId: string, order: SendOrder): Promise<OutgoingMessage>;
  /**
   * Ends the session of an account that is being removed; later calls are refused. False while earlier work is still
   * under way, or another process has the session: it learns of the removal by the database.
   */
  end(accountId: string): Promise<boolean>;
}
