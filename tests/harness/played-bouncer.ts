import type { CapturedLine } from '../../src/connector/domain/entry.ts';
import type { Bouncer, BouncerUser } from '../../src/connector/ports/bouncer.ts';
import type { BouncerEvents, BouncerSession, UpstreamState } from '../../src/connector/ports/bouncer-session.ts';
import { obedientBouncer, silentSession } from './bouncer-double.ts';
import { capturedLine } from './open-store.ts';

/** A line that was written to the bouncer. */
export interface Written {
  channel: string;
  text: string;
  tag: string;
}

/** The bouncer of one account: it carries out and records each request, and sends the events that the test asks for. */
export interface PlayedBouncer extends Bouncer {
  /** Every line that came, in order. */
  readonly written: readonly Written[];
  /** Users that were attached, in order. */
  readonly attachedUsers: readonly BouncerUser[];
  /** Users that were removed, by their names. */
  readonly removedUsers: readonly string[];
  /** Number of attachments. */
  readonly attachCount: number;
  upstream: UpstreamState;
  /** The channels that the account is in; those that it wants unless set. */
  joined: readonly string[] | undefined;
  /** The nick in use. */
  nick: string;
  /** Refusal that the server sends to every request for a nick; undefined where it grants the nick. */
  nickRefusal: string | undefined;
  isUnpaced: boolean;
  /** Whether the IRC server answers questions. */
  isServerAnswering: boolean;
  /** If set, it keeps lines from being written. */
  writeError: Error | undefined;
  /** If set, it keeps the account from being made. */
  provisionError: Error | undefined;
  /** Set, it keeps users from being removed. */
  removeError: Error | undefined;
  /** If set, the bouncer has history, and this is called when a channel's history is requested. */
  whenAsked: ((channel: string) => void) | undefined;
  /** Another person says something, without a time unless `changes` has one. */
  hear(text: string, changes?: Partial<CapturedLine>): void;
  /** A written line comes back from the server. */
  echo(line: Written | undefined, serverAt: number): void;
  refuse(channel: string, reason: string): void;
  /** The network is connected, to a server that has not seen the account before. */
  connected(): void;
  /** The account itself joins a channel. */
  join(channel: string, serverAt: number): void;
  /** Answers the last request for a channel's history with these lines of another person. */
  replay(channel: string, lines: readonly CapturedLine[]): void;
}

export function playBouncer(): PlayedBouncer {
  const written: Written[] = [];
  let attachCount = 0;
  let askedNick: string | undefined;
  let channels: readonly string[] = [];
  let events: BouncerEvents | undefined;
  const attachedUsers: BouncerUser[] = [];
  const removedUsers: string[] = [];
  const session: BouncerSession = {
    ...silentSession,
    get upstream() {
      return bouncer.upstream;
    },
    get nick() {
      return bouncer.nick;
    },
    get nickRefusal() {
      return askedNick === undefined || bouncer.nick === askedNick ? undefined : bouncer.nickRefusal;
    },
    changeNick: (nick) => {
      askedNick = nick;
      if (bouncer.nickRefusal === undefined) bouncer.nick = nick;
      events?.onChanged();
    },
    get isUnpaced() {
      return bouncer.isUnpaced;
    },
    get joinedChannels() {
      return bouncer.joined ?? channels;
    },
    setChannels: (wanted) => {
      channels = wanted;
    },
    get canReplay() {
      return bouncer.whenAsked !== undefined;
    },
    replay: (channel) => bouncer.whenAsked?.(channel),
    probeUpstream: async () => bouncer.isServerAnswering,
    sendMessage: (channel, text, tag) => {
      if (bouncer.writeError !== undefined) throw bouncer.writeError;
      written.push({ channel, text, tag });
    },
  };
  const bouncer: PlayedBouncer = {
    ...obedientBouncer,
    written,
    get attachCount() {
      return attachCount;
    },
    attachedUsers,
    removedUsers,
    nick: 'ada',
    nickRefusal: undefined,
    removeError: undefined,
    upstream: true,
    joined: undefined,
    isUnpaced: true,
    isServerAnswering: true,
    writeError: undefined,
    provisionError: undefined,
    whenAsked: undefined,
    provision: async () => {
      if (bouncer.provisionError !== undefined) throw bouncer.provisionError;
    },
    removeUser: async (name) => {
      if (bouncer.removeError !== undefined) throw bouncer.removeError;
      removedUsers.push(name);
    },
    attach: async ({ user }, wanted, told) => {
      attachCount += 1;
      attachedUsers.push(user);
      channels = wanted;
      events = told;
      return session;
    },
    hear: (text, changes = {}) =>
      events?.onLine({
        line: { ...capturedLine(text, 0), serverAt: undefined, ...changes },
        ...{ own: undefined, nick: session.nick },
      }),
    echo: (line, serverAt) => {
      if (line === undefined) throw new Error('this line was not written');
      events?.onLine({
        line: { ...capturedLine(line.text, serverAt, line.channel), sender: session.nick },
        own: { tag: line.tag, isNick: true, isJoin: false },
      });
    },
    refuse: (channel, reason) => events?.onSendRefused(channel, reason),
    connected: () => events?.onUpstreamConnected(true),
    join: (channel, serverAt) =>
      events?.onLine({
        line: { ...capturedLine('', serverAt, channel), kind: 'join', sender: session.nick },
        own: { tag: undefined, isNick: true, isJoin: true },
      }),
    replay: (channel, lines) => {
      const { nick } = session;
      const observed = lines.map((line) => ({ line, own: undefined, nick }));
      events?.onReplayed({ channel, lines: observed, next: undefined, overfullAt: undefined });
    },
  };
  return bouncer;
}
