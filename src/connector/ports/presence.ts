import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import type { UpstreamState } from './bouncer-session.ts';

/** What is known of an account's session with the bouncer, at one moment. */
export interface PresenceStatus {
  /** When the session began, milliseconds since 1970. */
  sessionSince: number;
  /** The nick in use, which may differ from the account's while another holds it. */
  nick: string;
  /** Why the network did not give the nick that was asked for last, in its words; null where it did, or was not asked. */
  nickRefusal: string | null;
  upstream: UpstreamState;
  /** Whether the bouncer itself has answered in time. */
  isAnswering: boolean;
  joinedChannels: readonly string[];
  /** Why the account is not in a channel, in the server's words, where it said so. */
  notJoined: Readonly<Record<string, string>>;
  /** Problems with the connection or with the completeness of history, in words. */
  problems: readonly string[];
}

/** A message to be said, and on whose behalf. */
export interface SendOrder {
  clientId: string;
  /** The agent session that sends, where it says so. */
  sessionId: string | undefined;
  /** Of all sends of a client under one key, one is said. */
  idempotencyKey: string | undefined;
  /** The name that the channel is enabled under. */
  channel: string;
  /** One line of any length that a message may have. */
  text: string;
}

/** The presence of all accounts on IRC. What it takes and gives is plain data. */
export interface Presence {
  /** Undefined for an account without a session. */
  status(accountId: string): Promise<PresenceStatus | undefined>;
  /** Connects the account. @throws ConnectorError bouncer_unreachable, provisioning_failed, account_busy */
  goOnline(accountId: string): Promise<UpstreamState>;
  /** Disconnects the account for everybody. @throws ConnectorError bouncer_unreachable, account_busy */
  goOffline(accountId: string): Promise<void>;
  /** Follows the channels that are now enabled; false when the bouncer can't be told now, and will be told later. */
  channelsChanged(accountId: string): Promise<boolean>;
  /** Asks the network for the nick that the account has now; resolves when it has answered, when nobody waits for that, or after a while. */
  nickChanged(accountId: string): Promise<void>;
  /** Moves the account to another network; false when the bouncer can't be told now, and will be told later. @throws ConnectorError account_busy */
  chooseNetwork(accountId: string, name: string): Promise<boolean>;
  /** Stores the message and says it in its turn. @throws ConnectorError bouncer_unreachable, idempotency_conflict, backlog_full, account_busy */
  send(accountId: string, order: SendOrder): Promise<OutgoingMessage>;
  /**
   * Ends the session of an account that is being removed; nothing is done for it any more. False while something still is
   * that had begun before.
   */
  end(accountId: string): Promise<boolean>;
}
