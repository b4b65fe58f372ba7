import type { Casemapping } from '../domain/casemapping.ts';
import type { EchoOf } from '../domain/echo.ts';
import type { CapturedLine } from '../domain/entry.ts';

/** Whether the network is connected, as the bouncer says; null when that is unknown. */
export type UpstreamState = boolean | null;

/** Events of an attached session, called in the order in which they happened. */
export interface BouncerEvents {
  onLine(line: ObservedLine): void;
  /** The answer to `replay`. Lines in it that also came live were reported before. */
  onReplayed(page: ReplayedPage): void;
  /** The bouncer can't replay the channel at the moment. */
  onReplayRefused(channel: string): void;
  /** @param channel undefined where the bouncer does not say which */
  onSendRefused(channel: string | undefined, reason: string): void;
  /** The network was connected and no longer is, as far as this session knows. */
  onUpstreamLost(): void;
  /** An attempt to connect the network has failed. */
  onUpstreamFailed(): void;
  /** @param isFresh false where it was connected before the session began */
  onUpstreamConnected(isFresh: boolean): void;
  /** The server refuses this person for good: trying again changes nothing. */
  onUpstreamRefused(): void;
  /** The bouncer considers the network connected, but its server has left several probes unanswered. */
  onUpstreamHung(): void;
  /** The account is in an observed channel no longer, or was sent elsewhere, by whatever command; `notJoinedReason` says why. */
  onLeft(channel: string): void;
  /** The account is in a channel that is not observed, by the name that the server gives it. */
  onStrayed(channel: string): void;
  /** What the session tells of itself has changed: nick, upstream, joined channels, or why it is not in one. */
  onChanged(): void;
  /** @param reason what went wrong; undefined when `close` ended the session */
  onClose(reason: string | undefined): void;
}

/** A line of an enabled channel. */
export interface ObservedLine {
  line: CapturedLine;
  /** Set for a line with the account's own nick, or with a tag like those of its sends. */
  own: OwnLine | undefined;
  /** The nick in use when the line came; where nobody tells it, the account’s own counts. */
  nick?: string;
  /** How the network compared nicks when the line came; as networks usually do, unless this says otherwise. */
  casemapping?: Casemapping;
}

export interface OwnLine {
  /** The tag it was sent with, where tags are supported. */
  tag: string | undefined;
  /** Whether the line has the nick in use. */
  isNick: boolean;
  /** The line says that the account itself joined the channel. */
  isJoin: boolean;
  /** Which sends a line without a tag can be the echo of; any, unless this says otherwise. */
  echoOf?: EchoOf;
}

/** Lines of the bouncer's history, in order; a millisecond is never split between pages. */
export interface ReplayedPage {
  channel: string;
  lines: readonly ObservedLine[];
  /** First millisecond of the next page; undefined after the last. */
  next: number | undefined;
  /** A millisecond with more lines than the bouncer sends. */
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
  /** Why the server did not give the nick that was asked for last, in its words; undefined where it did, or has not answered. */
  readonly nickRefusal: string | undefined;
  /** Asks for a nick; also for later connections of the network. */
  changeNick(nick: string): void;
  /** How the network compares nicks and channels; undefined while it has not announced that. */
  readonly casemapping?: Casemapping | undefined;
  /** Why the account is not in the channel, in the server's words, after a refusal or a kick. */
  notJoinedReason(channel: string): string | undefined;
  /** Asks to join a channel again. */
  join(channel: string): void;
  /** Leaves a channel, for good as far as the bouncer is concerned. */
  part(channel: string): void;
  /** Whether the server itself answers in time. An answer also proves that it has handled everything written before. */
  probeUpstream(deadlineMs: number): Promise<boolean>;
  /** Whether the server sets no pace for lines. */
  readonly isUnpaced: boolean;
  /** Whether the server itself echoes the account's lines; else the bouncer does, before the server has answered. */
  readonly hasServerEcho: boolean;
  /** Whether the bouncer can replay its history. */
  readonly canReplay: boolean;
  /** Changes the channels whose lines are reported. */
  setChannels(channels: readonly string[]): void;
  /** Asks for the history of a channel from a millisecond on; one question at a time. */
  replay(channel: string, from: number): void;
  /** Stops reading from the bouncer until `resume`. */
  pause(): void;
  resume(): void;
  /** Writes one message line. @throws Error when the connection is gone */
  sendMessage(channel: string, text: string, tag: string): void;
  close(): void;
}
