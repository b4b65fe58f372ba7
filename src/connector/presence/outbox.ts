import { messageOf } from '../../kernel/errors.ts';
import { enabledChannels } from '../domain/account.ts';
import {
  BOUNCER_BURST_LINES,
  BOUNCER_BURST_MS,
  FALSE_ECHO_MS,
  OUTSTANDING_MAX_MS,
  PROBE_DEADLINE_MS,
} from '../domain/limits.ts';
import {
  isDecidedByTime,
  judgePart,
  type MessagePart,
  type OutgoingMessage,
  type OutstandingPart,
} from '../domain/outgoing-message.ts';
import { Pacing } from '../domain/pacing.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import type { PresenceContext } from './presence-context.ts';
import { SentLines } from './sent-lines.ts';

/** Failure reason of lines for a disabled channel. */
const DISABLED = 'the channel was disabled';
/** Failure reason of lines that waited when the account moved. */
export const MOVED = 'the account moved to another network';

/** Interval of checks of outstanding lines. */
const LOOK_MS = 500;

/**
 * Time for which a write without an answer may still be stored: a server that hangs completes its work when it goes on.
 */
const DOUBT_MS = 60_000;

/** Time in which a server refuses a line that it does not take: mostly that of a round trip. */
const REFUSED_WITHIN_MS = 2_000;

export interface OutboxOptions {
  accountId: string;
  context: PresenceContext;
  session: () => BouncerSession | undefined;
  /** Returns the name of the session's network. */
  network: () => string | undefined;
  /** Whether what is said in the channel comes back. */
  isHeard: (channel: string) => boolean;
  /** Runs a task in the account's turn, after all earlier events are stored, and retries it until it succeeds. */
  enqueue: (task: () => Promise<void>) => void;
}

/** Writes one account's pending lines at the pace that the network allows, and ensures that each is settled. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #pacing: Pacing;
  /** Lines written on the present connections. */
  #sent = new SentLines();
  /** Tags of lines that were not written, although the database may have stored that they were. */
  readonly #unwritten = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** Monotonic milliseconds until which a write in doubt may still appear in the database. */
  #doubtUntil = 0;
  #pacedUntil = 0;
  #pacedAt = 0;
  /** When the last line was written, monotonic milliseconds. */
  #writtenAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#pacing = new Pacing(options.context.clock.monotonic());
  }

  /** State of the pace when the session or its network was connected, for processes that accept sends: see `Pacing`. */
  get pacedUntil(): number {
    return this.#pacedUntil;
  }

  /** Wall clock at that time. */
  get pacedAt(): number {
    return this.#pacedAt;
  }

  /** Whether the database is known to have no line as written that was not. */
  get isCertain(): boolean {
    return this.#unwritten.size === 0;
  }

  /** Whether no refusal is to be expected any more: only the process that has written a line knows what it refuses. */
  get isAnswered(): boolean {
    return !this.#sent.isUndecided || performance.now() - this.#writtenAt >= REFUSED_WITHIN_MS;
  }

  /** Settles decided lines and writes those that may be written now; call it in the account's turn. */
  async drain(): Promise<void> {
    await this.write(await this.waiting());
  }

  /**
   * Settles decided lines and returns those that still wait to be written, oldest first. Call it in the account's turn.
   */
  async waiting(): Promise<MessagePart[]> {
    // First, so that the next check is planned even if the rest fails.
    this.lookLater();
    const left = await this.#settleOutstanding();
    if (!left.some(isDecidedByTime) && this.#options.context.clock.monotonic() >= this.#doubtUntil) this.#lookNoMore();
    return left.filter(isPending);
  }

  /**
   * Writes those of these lines that may be written now, in order; call it in the account's turn, with all waiting
   * lines.
   * @returns the changed messages
   */
  async write(waiting: readonly MessagePart[]): Promise<ReadonlyMap<string, OutgoingMessage>> {
    const changed = new Map<string, OutgoingMessage>();
    if (waiting.length === 0) return changed;
    this.lookLater();
    await this.#writeInto(changed, waiting);
    return changed;
  }

  /**
   * Handles a write without an answer, which may be stored or may still be: checks repeatedly until it must have
   * appeared.
   */
  doubt(): void {
    this.#doubtUntil = this.#options.context.clock.monotonic() + DOUBT_MS;
    this.lookLater();
  }

  /** Plans a check of outstanding lines. */
  lookLater(): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isLooking) return;
      this.#isLooking = true;
      this.#options.enqueue(async () => {
        await this.drain();
        this.#isLooking = false;
      });
    }, LOOK_MS);
  }

  /**
   * Handles a refusal by the server: it is about the oldest line of the channel, or of all channels if it names no
   * channel, because the server answers in order. A line that stayed unanswered for long was most likely dropped, so
   * then the refusal is about a later line.
   */
  refused(channel: string | undefined, reason: string): void {
    const { messages } = this.#options.context.store;
    const sent = this.#sent;
    const since = this.#options.context.clock.now() - PROBE_DEADLINE_MS;
    let tag: string | undefined;
    this.#options.enqueue(async () => {
      const outstanding = await this.#outstanding();
      // Chosen once: if the failure was stored without an answer, a retry must not fail the next line, nor this one
      // under a new tag when it was sent again.
      const meant = outstanding.filter(
        (candidate) => sent.has(candidate.tag) && (channel === undefined || candidate.channel === channel),
      );
      tag ??= (meant.find((candidate) => sent.wasWrittenSince(candidate.tag, since)) ?? meant[0])?.tag;
      const part = outstanding.find((candidate) => candidate.tag === tag);
      if (part !== undefined) await messages.setPartStatus(part, 'failed', reason);
    });
  }

  /** Handles a new connection, to the bouncer or to the server; its answers do not concern earlier lines. */
  linkChanged(): void {
    this.#sent = new SentLines();
  }

  /**
   * Counts the lines that the bouncer got lately, perhaps from an earlier run of this program; call it in the account's
   * turn.
   */
  async recall(): Promise<void> {
    const { context, accountId } = this.#options;
    const since = context.clock.now() - BOUNCER_BURST_MS;
    const lineCount = await context.store.messages.countWrittenParts(accountId, since, 2 * BOUNCER_BURST_LINES);
    this.#pacing.recall(lineCount, context.clock.monotonic());
    this.#notePace();
  }

  /** Handles a new connection of the bouncer to the server: its own lines delay ours. */
  serverConnected(channelCount: number): void {
    this.#pacing.connected(channelCount, this.#options.context.clock.monotonic());
    this.#notePace();
  }

  /** Fails the lines that wait to be sent; call it in the account's turn. */
  async giveUp(reason: string): Promise<void> {
    await this.#fail(await this.#pending(), reason);
  }

  /** Fails the lines that wait for channels outside this list; call it in the account's turn. */
  async giveUpDisabled(channels: readonly string[]): Promise<void> {
    const parts = await this.#pending();
    await this.#fail(
      // Compared by exact name: another enabled channel may be equal only by another network's rule.
      parts.filter(({ channel }) => !channels.includes(channel)),
      DISABLED,
    );
  }

  #notePace(): void {
    this.#pacedUntil = this.#emptyAt();
    this.#pacedAt = this.#options.context.clock.now();
  }

  /** Returns the state of the pace now, by the wall clock: other processes have no use for this one's monotonic clock. */
  #emptyAt(): number {
    const { clock } = this.#options.context;
    const now = clock.monotonic();
    return clock.now() - now + this.#pacing.emptyAt(now);
  }

  close(): void {
    this.#isClosed = true;
    this.#lookNoMore();
  }

  #lookNoMore(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Writes lines until one must wait. ended-ok: each line reads the session that stands. */
  async #writeInto(changed: Map<string, OutgoingMessage>, waiting: readonly MessagePart[]): Promise<void> {
    if (this.#options.session()?.upstream !== true) return;
    const { store } = this.#options.context;
    const enabled = await this.#enabled();
    for (const part of waiting) {
      const session = this.#options.session();
      if (session?.upstream !== true) return;
      if (changed.get(part.messageId)?.status === 'failed') continue;
      const obstacle = this.#obstacleOf(part, enabled);
      const step = this.#stepOf(session, part, obstacle);
      if (step === 'stop') return;
      if (step === 'skip') continue;
      const settling =
        step === 'fail' ? store.messages.setPartStatus(part, 'failed', obstacle) : this.#writeLine(session, part);
      const message = await settling;
      if (message !== undefined) changed.set(part.messageId, message);
    }
  }

  /** The present choice counts: a send may have been accepted just before its channel was disabled. */
  async #enabled(): Promise<string[]> {
    const account = await this.#options.context.store.accounts.find(this.#options.accountId);
    return account === undefined ? [] : enabledChannels(account);
  }

  /** Returns whether a line fails, is written now, waits alone, or waits and holds up all lines after it. */
  #stepOf(
    session: BouncerSession,
    part: MessagePart,
    obstacle: string | undefined,
  ): 'fail' | 'write' | 'skip' | 'stop' {
    if (obstacle !== undefined) return 'fail';
    // Enabled a moment ago: its echo would be missed, and it would stay queued for ever.
    if (!this.#options.isHeard(part.channel)) return 'skip';
    return this.#mustWait(session, part) || !this.#mayWrite(session) ? 'stop' : 'write';
  }

  /** Returns why a line must not be written at all; undefined if it may be. */
  #obstacleOf({ channel, network }: MessagePart, enabled: readonly string[]): string | undefined {
    // Accepted while the account moved: people on the present network are not those for whom the line was meant.
    if (network !== null && network !== this.#options.network()) return MOVED;
    return enabled.includes(channel) ? undefined : DISABLED;
  }

  /**
   * Whether a line must wait for an earlier one. A refusal does not name a line. If the server sends no echoes, the
   * earlier line in the channel must therefore be settled first: by the server's answer to a later probe, or by time
   * alone if the next line can't be written sooner.
   */
  #mustWait(session: BouncerSession, { channel }: MessagePart): boolean {
    if (session.hasServerEcho) return false;
    const { clock } = this.#options.context;
    const writtenAt = this.#sent.undecidedIn(channel, clock.now() - FALSE_ECHO_MS);
    if (writtenAt === undefined) return false;
    // The probe takes one token, and the line another.
    const isWorthAsking = session.isUnpaced || this.#pacing.turnOf(2, clock.monotonic()) === 0;
    if (isWorthAsking && clock.now() - writtenAt < FALSE_ECHO_MS - LOOK_MS) this.#ask();
    return true;
  }

  #mayWrite(session: BouncerSession): boolean {
    return session.isUnpaced || this.#pacing.take(this.#options.context.clock.monotonic()) === 0;
  }

  /**
   * Stores the line as written before it is written: after a crash in between it is not sent twice.
   * ended-ok: it is written only if the session still stands.
   */
  async #writeLine(session: BouncerSession, part: MessagePart): Promise<OutgoingMessage | undefined> {
    const { messages } = this.#options.context.store;
    this.#unwritten.add(part.tag);
    const message = await messages.setPartStatus(part, 'queued', undefined, this.#emptyAt());
    // It was not written, so it waits for the next session: mostly that of the process which takes over from this one.
    if (this.#options.session() !== session) {
      const unwritten = await messages.setPartStatus(part, 'pending');
      this.#unwritten.delete(part.tag);
      return unwritten;
    }
    try {
      session.sendMessage(part.channel, part.text, part.tag);
    } catch (error) {
      return messages.setPartStatus(part, 'failed', messageOf(error));
    }
    this.#unwritten.delete(part.tag);
    this.#writtenAt = performance.now();
    this.#sent.wrote(part.tag, { channel: part.channel, at: this.#options.context.clock.now() });
    return message;
  }

  async #outstanding(): Promise<OutstandingPart[]> {
    const { context, accountId } = this.#options;
    const parts = await context.store.messages.outstanding(accountId, context.clock.now() - OUTSTANDING_MAX_MS);
    return parts.map((part) => (this.#unwritten.has(part.tag) ? { ...part, writtenAt: null } : part));
  }

  async #pending(): Promise<OutstandingPart[]> {
    return (await this.#outstanding()).filter(isPending);
  }

  /** Fails these lines. The first failed part of a message also fails its later waiting parts. */
  async #fail(parts: readonly MessagePart[], reason: string): Promise<void> {
    const failed = new Set<string>();
    for (const part of parts) {
      if (failed.has(part.messageId)) continue;
      failed.add(part.messageId);
      await this.#options.context.store.messages.setPartStatus(part, 'failed', reason);
    }
  }

  /** Settles the lines that are decided; returns the rest. */
  async #settleOutstanding(): Promise<OutstandingPart[]> {
    const { context } = this.#options;
    const { messages } = context.store;
    const failed = new Set<string>();
    const left: OutstandingPart[] = [];
    const fail = async (part: OutstandingPart, reason: string): Promise<void> => {
      failed.add(part.messageId);
      await messages.setPartStatus(part, 'failed', reason);
    };
    for (const part of await this.#outstanding()) {
      if (part.writtenAt === null && failed.has(part.messageId)) continue;
      const verdict = judgePart(part, context.clock.now(), { isPassed: this.#sent.isPassed(part.tag) });
      if (verdict === 'echoed') await messages.setPartStatus(part, 'echoed');
      else if (verdict === 'too_late_to_send') {
        await fail(part, 'it could not be sent in time: the network takes no lines now');
      } else left.push(part);
    }
    const tags = new Set(left.map(({ tag }) => tag));
    this.#sent.keep(tags);
    for (const tag of this.#unwritten) if (!tags.has(tag)) this.#unwritten.delete(tag);
    return left;
  }

  /** Probes the server: after its answer no refusal of an earlier line can come. */
  #ask(): void {
    const session = this.#options.session();
    if (session?.upstream !== true) return;
    const answered = this.#sent.ask();
    if (answered === undefined) return;
    this.#pacing.spend(this.#options.context.clock.monotonic());
    void session.probeUpstream(PROBE_DEADLINE_MS).then((isAnswered) => {
      // Done in the account's turn, so that an echo from before the answer is stored first.
      this.#options.enqueue(() => {
        answered(isAnswered);
        return this.drain();
      });
    });
  }
}

const isPending = ({ writtenAt }: OutstandingPart): boolean => writtenAt === null;
