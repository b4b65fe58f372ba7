import type { SeenSession } from './sessions.ts';

/**
 * What was seen from outside in a run: on IRC, by the agents, by their receiver of webhooks, and in the bouncer's own
 * store. Times are milliseconds since the epoch. Texts are unique, so a text names its line.
 */
export interface Observations {
  accounts: readonly AccountSeen[];
  /** Lines in the order in which each listener heard them. */
  heard: readonly HeardLine[];
  /** All texts that people on IRC have tried to say. */
  said: ReadonlySet<string>;
  /** Arrivals and departures of accounts, in the order in which one listener saw them. */
  movements: readonly Movement[];
  /** Sessions with the bouncer of all accounts. */
  sessions: readonly SeenSession[];
  events: readonly SeenEvent[];
  disturbances: readonly Disturbance[];
  failures: readonly FailedCall[];
}

export interface AccountSeen {
  /** Login, which is also the nick. */
  name: string;
  /** Lines that the bouncer has kept for the account, in its order. */
  kept: readonly Line[];
  /** Messages of the whole history, oldest first, channel by channel. */
  history: readonly Entry[];
  /** Entries that were unread, each time that the session got them. */
  shown: readonly ShownEntry[];
  acknowledged: readonly Acknowledgement[];
  /** What the session was told of its positions, in order. */
  positions: readonly Position[];
  /** What was told at the end, when nothing was said any more, and what then was unread. */
  counted: readonly { channel: string; count: number; entryIds: readonly string[] }[];
  sends: readonly SeenSend[];
  /** When the account was seen connected to its network. */
  connectedAt: readonly number[];
  /** Mentions that are said later are delivered. */
  subscribedAt: number;
}

export interface Line {
  channel: string;
  sender: string;
  text: string;
}

export interface HeardLine extends Line {
  listener: string;
  at: number;
}

export interface Entry extends Line {
  entryId: string;
  /** `message`, or another kind of activity. */
  kind: string;
}

export interface ShownEntry extends Entry {
  at: number;
  /** Whether the batch was of one channel: those of all channels begin with mentions. */
  isInOrder: boolean;
}

/** An acknowledgement, in the order in which the session asked. */
export interface Acknowledgement {
  channel: string;
  /** The entry up to which it goes. */
  entryId: string;
  /** All entries of its batch in this channel. */
  entryIds: readonly string[];
  /** When its answer had come; undefined if it failed. */
  answeredAt: number | undefined;
}

export interface Position {
  channel: string;
  entryId: string | null;
  at: number;
}

export interface SeenSend {
  key: string;
  channel: string;
  text: string;
  askedAt: number;
  /** Undefined if no call was ever accepted. */
  messageId: string | undefined;
  /** All ids that its calls were answered with. */
  messageIds: readonly string[];
  /** State at the end. */
  status: string | undefined;
  /** Why it has failed, also where it was told so at an earlier time only. */
  failure: string | undefined;
}

export interface Movement {
  at: number;
  /** `reset` when the server ended: then everybody is gone, and nobody sees it. */
  kind: 'came' | 'left' | 'reset';
  /** Empty for all channels. */
  channel: string;
  nick: string;
  /** The line itself. */
  line: string;
}

export interface SeenEvent {
  account: string;
  eventId: string;
  entryId: string;
  text: string;
  at: number;
}

/** What of the chain from the agent to the network a disturbance touches. */
export type Touched = 'connector' | 'bouncer' | 'network' | 'database' | 'clients' | 'machine';

export interface Disturbance {
  what: string;
  /** The connector that was disturbed, if it was a single one. */
  which?: string | undefined;
  touches: Touched;
  from: number;
  to: number;
}

/** A call that got a refusal, or no answer. */
export interface FailedCall {
  at: number;
  account: string;
  tool: string;
  why: string;
  /** Whether a limit that holds in peace, too, has refused it. */
  isLimit: boolean;
  /** Whether it may happen while something is disturbed. */
  isExpected: boolean;
}

/** Something that must not be. */
export interface Violation {
  kind: string;
  at: number | undefined;
  account: string | undefined;
  channel: string | undefined;
  /** What was expected and what was found, with ids. */
  found: string;
}
