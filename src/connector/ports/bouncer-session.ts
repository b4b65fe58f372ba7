import type { CapturedLine } from '../domain/entry.ts';

/** True or false as the bouncer says, null when it can't be told. */
export type UpstreamState = boolean | null;

/** What an attached session tells; called in the order things happened. */
export interface BouncerEvents {
  onLine(line: ObservedLine): void;
  /** The answer to `replay`. Live lines that it has, too, were told before it. */
  onReplayed(page: ReplayedPage): void;
  /** The bouncer can't replay the channel at the moment. */
  onReplayRefused(channel: string): void;
  /** @param channel undefined where the bouncer does not say which */
  onSendRefused(channel: string | undefined, reason: string): void;
  /** The network was connected and is no longer, as far as this session can see. */
  onUpstreamLost(): void;
  /** @param isFresh false where it was connected before the session began */
  onUpstreamConnected(isFresh: boolean): void;
  /** The server refuses this person for good: trying again changes nothing. */
  onUpstreamRefused(): void;
  /** The bouncer holds the network for connected, and its server has not answered again and again. */
  onUpstreamHung(): void;
  /** The account was thrown out of a channel. */
  onKicked(channel: string): void;
  /** @param reason what went wrong; undefined where the session was closed as wanted */
  onClose(reason: string | undefined): void;
}

/** A line of an enabled channel. */
export interface ObservedLine {
  line: CapturedLine;
  /** Set for a line under the account's own nick, or with a tag as its sends have. */
  own: OwnLine | undefined;
}

export interface OwnLine {
  /** The tag it was sent with, where tags are supported. */
  tag: string | undefined;
  /** Whether it is under the nick in use. */
  isNick: boolean;
  /** The account itself came into the channel. */
  isJoin: boolean;
}

/** Lines the bouncer kept, in whole milliseconds and in order. */
export interface ReplayedPage {
  channel: string;
  lines: readonly ObservedLine[];
  /** First millisecond of the next page; undefined after the last. */
  next: number | undefined;
  /** A millisecond of which not all lines can be had. */
  overfullAt: number | undefined;
}

export interface BouncerSession {
  /** The nick in use, which may differ from the one wanted. */
  readonly nick: string;
  readonly joinedChannels: readonly string[];
  readonly upstream: UpstreamState;
  /** Whether the bouncer itself has answered in time. */
  readonly isAnswering: boolean;
  /** What kept the network from connecting last, in the bouncer's words; undefined while it is connected. */
  readonly upstreamError: string | undefined;
  /** Why the server refuses this person for good; undefined where it does not. */
  readonly upstreamRefusal: string | undefined;
  /** Whether the network is not connected because another person has the nick. */
  readonly isNickTaken: boolean;
  /** Why the account is not in the channel, in the server's words, where it was refused or thrown out. */
  notJoinedReason(channel: string): string | undefined;
  /** Asks to be let into a channel again. */
  join(channel: string): void;
  /** Whether the server itself answers in time, after everything written before. */
  probeUpstream(deadlineMs: number): Promise<boolean>;
  /** Whether the server lets lines through without a penalty for many. */
  readonly isUnpaced: boolean;
  /** Whether the server itself sends own lines back; else the bouncer does, before the server has said anything. */
  readonly hasServerEcho: boolean;
  /** Whether the bouncer can tell what it kept. */
  readonly canReplay: boolean;
  /** Changes the channels whose lines are told. */
  setChannels(channels: readonly string[]): void;
  /** Asks for what was kept of a channel from a millisecond on; one question at a time. */
  replay(channel: string, from: number): void;
  /** Stops reading from the bouncer until `resume`. */
  pause(): void;
  resume(): void;
  /** Writes one message line. @throws Error when the connection is gone */
  sendMessage(channel: string, text: string, tag: string): void;
  close(): void;
}
