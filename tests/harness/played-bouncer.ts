import type { CapturedLine } from '../../src/connector/domain/entry.ts';
import type { Bouncer } from '../../src/connector/ports/bouncer.ts';
import type { BouncerEvents, BouncerSession, UpstreamState } from '../../src/connector/ports/bouncer-session.ts';
import { obedientBouncer, silentSession } from './bouncer-double.ts';
import { capturedLine } from './open-store.ts';

/** A line that was written to the bouncer. */
export interface Written {
  channel: string;
  text: string;
  tag: string;
}

/** The bouncer of one account: it does what it is told and remembers it, and tells what the test makes it tell. */
export interface PlayedBouncer extends Bouncer {
  /** Every line that came, in order. */
  readonly written: readonly Written[];
  /** How often somebody attached. */
  readonly attachCount: number;
  upstream: UpstreamState;
  isUnpaced: boolean;
  /** Whether the IRC server answers questions. */
  isServerAnswering: boolean;
  /** Set, it keeps lines from being written. */
  writeError: Error | undefined;
  /** Set, it keeps the account from being made. */
  provisionError: Error | undefined;
  /** Somebody else says something, without a time unless `changes` have one. */
  hear(text: string, changes?: Partial<CapturedLine>): void;
  /** A written line comes back from the server. */
  echo(line: Written | undefined, serverAt: number): void;
  refuse(channel: string, reason: string): void;
}

export function playBouncer(): PlayedBouncer {
  const written: Written[] = [];
  let attachCount = 0;
  let channels: readonly string[] = [];
  let events: BouncerEvents | undefined;
  const session: BouncerSession = {
    ...silentSession,
    get upstream() {
      return bouncer.upstream;
    },
    get isUnpaced() {
      return bouncer.isUnpaced;
    },
    get joinedChannels() {
      return channels;
    },
    setChannels: (wanted) => {
      channels = wanted;
    },
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
    upstream: true,
    isUnpaced: true,
    isServerAnswering: true,
    writeError: undefined,
    provisionError: undefined,
    provision: async () => {
      if (bouncer.provisionError !== undefined) throw bouncer.provisionError;
    },
    attach: async (_account, wanted, told) => {
      attachCount += 1;
      channels = wanted;
      events = told;
      return session;
    },
    hear: (text, changes = {}) =>
      events?.onLine({ line: { ...capturedLine(text, 0), serverAt: undefined, ...changes }, own: undefined }),
    echo: (line, serverAt) => {
      if (line === undefined) throw new Error('this line was not written');
      events?.onLine({
        line: { ...capturedLine(line.text, serverAt, line.channel), sender: session.nick },
        own: { tag: line.tag, isNick: true, isJoin: false },
      });
    },
    refuse: (channel, reason) => events?.onSendRefused(channel, reason),
  };
  return bouncer;
}
