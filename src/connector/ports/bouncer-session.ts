import type { Casemapping } from '../domain/casemapping.ts';
import type { EchoOf } from '../domain/echo.ts';
import type { CapturedLine } from '../domain/entry.ts';
import type { SessionLogin } from './bouncer-logins.ts';

/** Whether the network is connected, as the bouncer reports; null if that is unknown. */
export type UpstreamState = boolean | null;

/** Events of an attached session, called in the order in which they happened. */
export interface BouncerEvents {
  onLine(line: ObservedLine): void;
  /** Answer to `replay`. Lines in it that also came live were reported before. */
  onReplayed(page: ReplayedPage): void;
  /** The bouncer can't replay the channel at the moment. */
  onReplayRefused(channel: string): void;
  /** @param channel undefined if the bouncer does not name it */
  onSendRefused(channel: string | undefined, reason: string): void;
  /** The network was connected and is no longer, as far as this session knows. */
  onUpstreamLost(): void;
  /** An attempt to connect the network has failed. */
  onUpstreamFailed(): void;
  /** @param isFresh false if it was connected before the session began */
  onUpstreamConnected(isFresh: boolean): void;
  /** The server permanently refuses this person: retrying is useless. */
  onUpstreamRefused(): void;
  /** The bouncer considers the network connected, but its server has left several probes unanswered. */
  onUpstreamHung(): void;
  /**
   * The account is no longer in an observed channel, or was forwarded elsewhere, by any command; `notJoinedReason` has
   * the reason.
   */
  onLeft(channel: string): void;
  /** The account is in a channel that is not observed; `channel` is the server's name for it. */
  onStrayed(channel: string): void;
  /** The session's state has changed: nick, upstream, joined channels, a reason for a missing one, or its login. */
  onChanged(): void;
  /** @param reason the failure; undefined if `close` ended the session */
  onClose(reason: string | undefined): void;
}

/** A line of an enabled channel. */
export interface ObservedLine {
  line: CapturedLine;
  /** Set for a line with the account's own nick, or with a tag like those of its sends. */
  own: OwnLine | undefined;
  /** Nick in use when the line came; if it is missing, the account’s own nick counts. */
  nick?: string;
  /** Rule by which the network compared nicks when the line came; `USUAL_CASEMAPPING` by default. */
  casemapping?: Casemapping;
}

export interface OwnLine {
  /** Tag that the line was sent with, if tags are supported. */
  tag: string | undefined;
  /** Whether the line's sender is the nick in use. */
  isNick: boolean;
  /** Whether the line reports that the account itself joined the channel. */
  isJoin: boolean;
  /** Sends that a line without a tag can be the echo of; any by default. */
  echoOf?: EchoOf;
}

/** Lines of the bouncer's history, in order; a millisecond is never split between pages. */
export interface ReplayedPage {
  channel: string;
  lines: readonly ObservedLine[];
  /** First millisecond of the next page; undefined after the last. */
  next: number | undefined;
  /** Millisecond with more lines than the bouncer sends. */
  overfullAt: number | undefined;
}

export interface BouncerSession {
  /** The nick in use, which may differ from the one wanted. */
  readonly nick: string;
  readonly joinedChannels: readonly string[];
  readonly upstream: UpstreamState;
  /** Whether the bouncer itself has answered in time. */
  readonly isAnswering: boolean;
  /** Last reason for which the network could not connect, in the bouncer's words; undefined while it is connected. */
  readonly upstreamError: string | undefined;
  /** Reason for which the server permanently refuses this person; undefined if it does not. */
  readonly upstreamRefusal: string | undefined;
  /** Whether the network is disconnected because another user has the nick. */
  readonly isNickTaken: boolean;
  /** The server's reason for refusing the last requested nick; undefined if it did not refuse, or has not answered. */
  readonly nickRefusal: string | undefined;
  readonly login: SessionLogin;
  /** Requests a nick, also for later connections of the network. */
  changeNick(nick: string): void;
  /** Rule by which the network compares nicks and channels; undefined until it announces one. */
  readonly casemapping?: Casemapping | undefined;
  /** Returns why the account is not in the channel, in the server's words, after a refusal or a kick. */
  notJoinedReason(channel: string): string | undefined;
  /** Requests to join a channel again. @param key of a channel that requires one; the bouncer keeps it */
  join(channel: string, key?: string): void;
  /** Leaves a channel; the bouncer does not join it again. */
  part(channel: string): void;
  /** Checks whether the server itself answers in time. An answer also proves that it has handled all earlier lines. */
  probeUpstream(deadlineMs: number): Promise<boolean>;
  /** Whether the server does not limit the pace of lines. */
  readonly isUnpaced: boolean;
  /**
   * Whether the server itself echoes the account's lines; otherwise the bouncer does, before the server has answered.
   */
  readonly hasServerEcho: boolean;
  /** Whether the bouncer can replay its history. */
  readonly canReplay: boolean;
  /** Changes the channels whose lines are reported. */
  setChannels(channels: readonly string[]): void;
  /** Requests the history of a channel from a millisecond on; one request at a time. */
  replay(channel: string, from: number): void;
  /** Stops reading from the bouncer until `resume`. */
  pause(): void;
  resume(): void;
  /** Writes one message line. @throws Error when the connection is gone */
  sendMessage(channel: string, text: string, tag: string): void;
  /**
   * Waits until the bouncer has handled all written messages; false if it has not in time. The bouncer ignores messages
   * that still wait when the session is closed.
   */
  flush(deadlineMs: number): Promise<boolean>;
  /**
   * Ends the session for this process alone: it writes and reports nothing more, and the bouncer sees no end before
   * `close`.
   */
  fallSilent(): void;
  close(): void;
}
