import { messageOf } from '../../kernel/errors.ts';
import { enabledChannels } from '../domain/account.ts';
import { resolveChannel } from '../domain/channel.ts';
import {
  BOUNCER_BURST_LINES,
  BOUNCER_BURST_MS,
  FALSE_ECHO_MS,
  OUTSTANDING_MAX_MS,
  PROBE_DEADLINE_MS,
  SEND_BURST_LINES,
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
import type { PresenceContext } from './context.ts';
import { SentLines } from './sent-lines.ts';

/** Why a line is not said. */
const DISABLED = 'the channel was disabled';

/** How often outstanding lines are checked. */
const LOOK_MS = 500;

/**
 * What the database has not said to be stored may be stored all the same, and later: a server that hangs ends what it does when
 * it goes on.
 */
const DOUBT_MS = 60_000;

/** Questions between the lines of a burst, so that each line is settled before the next. Later lines are too far apart to need any. */
const BURST_QUESTIONS = Math.floor(SEND_BURST_LINES / 2);

export interface OutboxOptions {
  accountId: string;
  context: PresenceContext;
  session: () => BouncerSession | undefined;
  /** Runs a task in the account's turn, when everything the bouncer told before is stored, until it succeeds. */
  tell: (task: () => Promise<void>) => void;
}

/** Writes one account's pending lines at the pace the upstream allows, and makes sure that each is settled. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #pacing: Pacing;
  /** Of the present connections. */
  #sent = new SentLines();
  /** Tags of lines that were not written, although the database may have stored that they were. */
  readonly #unwritten = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** Until then something may turn up that was not there before; monotonic milliseconds. */
  #doubtUntil = 0;
  #isClosed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#pacing = new Pacing(options.context.clock.monotonic());
  }

  /** Milliseconds until the last of this many lines can be written, those counted that wait already. */
  turnOf(lineCount: number): number {
    const { context, session } = this.#options;
    const live = session();
    if (live?.upstream === true && live.isUnpaced) return 0;
    const questions = live?.hasServerEcho === false ? BURST_QUESTIONS : 0;
    return this.#pacing.turnOf(questions + lineCount, context.clock.monotonic());
  }

  /** Settles what is decided and writes what may be written now; call in the account's turn. */
  async drain(): Promise<void> {
    await this.write(await this.waiting());
  }

  /** Settles what is decided; gives the lines that still wait to be written, oldest first. Call it in the account's turn. */
  async waiting(): Promise<MessagePart[]> {
    // First, so that nothing is forgotten when the rest fails.
    this.lookLater();
    const left = await this.#settleOutstanding();
    if (!left.some(isDecidedByTime) && this.#options.context.clock.monotonic() >= this.#doubtUntil) this.#lookNoMore();
    return left.filter(isPending);
  }

  /**
   * Writes of these lines what may be written now, in their order; call it in the account's turn, with all that wait.
   * @returns the messages that this changed, as they then are
   */
  async write(waiting: readonly MessagePart[]): Promise<ReadonlyMap<string, OutgoingMessage>> {
    const changed = new Map<string, OutgoingMessage>();
    if (waiting.length === 0) return changed;
    this.lookLater();
    await this.#writeInto(changed, waiting);
    return changed;
  }

  /** The database may have stored something, or may store it yet: looks again and again until that must have shown. */
  doubt(): void {
    this.#doubtUntil = this.#options.context.clock.monotonic() + DOUBT_MS;
    this.lookLater();
  }

  /** Has what is on its way looked at soon, also if nothing more happens. */
  lookLater(): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isLooking) return;
      this.#isLooking = true;
      this.#options.tell(async () => {
        await this.drain();
        this.#isLooking = false;
      });
    }, LOOK_MS);
  }

  /**
   * The server refused a line: the oldest of the channel, or of all channels when none is named, because it answers in order.
   * What it has left unanswered for long it most likely has dropped, so that it speaks of a later line.
   */
  refused(channel: string | undefined, reason: string): void {
    const { messages } = this.#options.context.store;
    const sent = this.#sent;
    const since = this.#options.context.clock.now() - PROBE_DEADLINE_MS;
    let tag: string | undefined;
    this.#options.tell(async () => {
      const outstanding = await this.#outstanding();
      // Found once: when the failure was stored although the database did not say so, the next line is not meant, and
      // neither is this one under another tag, when it was sent again since.
      const meant = outstanding.filter(
        (candidate) => sent.has(candidate.tag) && (channel === undefined || candidate.channel === channel),
      );
      tag ??= (meant.find((candidate) => sent.wasWrittenSince(candidate.tag, since)) ?? meant[0])?.tag;
      const part = outstanding.find((candidate) => candidate.tag === tag);
      if (part !== undefined) await messages.setPartStatus(part, 'failed', reason);
    });
  }

  /** There is a new connection, to the bouncer or to the server; its answers say nothing about earlier lines. */
  linkChanged(): void {
    this.#sent = new SentLines();
  }

  /** Counts the lines that the bouncer got lately, perhaps from an earlier run of this program; call in the account's turn. */
  async recall(): Promise<void> {
    const { context, accountId } = this.#options;
    const since = context.clock.now() - BOUNCER_BURST_MS;
    const lineCount = await context.store.messages.countWrittenParts(accountId, since, 2 * BOUNCER_BURST_LINES);
    this.#pacing.recall(lineCount, context.clock.monotonic());
  }

  /** The bouncer has connected anew. The lines it sent for that delay ours. */
  serverConnected(channelCount: number): void {
    this.#pacing.connected(channelCount, this.#options.context.clock.monotonic());
  }

  /** Drops the lines that wait to be sent; call in the account's turn. */
  async giveUp(reason: string): Promise<void> {
    await this.#fail(await this.#pending(), reason);
  }

  /** Drops the lines that wait for channels which are not among these; call in the account's turn. */
  async giveUpDisabled(channels: readonly string[]): Promise<void> {
    const parts = await this.#pending();
    await this.#fail(
      parts.filter(({ channel }) => resolveChannel(channel, channels) === undefined),
      DISABLED,
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#lookNoMore();
  }

  #lookNoMore(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** ended-ok: each line looks for the session that stands. */
  async #writeInto(changed: Map<string, OutgoingMessage>, waiting: readonly MessagePart[]): Promise<void> {
    if (this.#options.session()?.upstream !== true) return;
    const { store } = this.#options.context;
    const account = await store.accounts.find(this.#options.accountId);
    // What the person allows now counts: a send may have been accepted just before its channel was disabled.
    const enabled = account === undefined ? [] : enabledChannels(account);
    for (const part of waiting) {
      const session = this.#options.session();
      if (session?.upstream !== true) return;
      if (changed.get(part.messageId)?.status === 'failed') continue;
      const isEnabled = resolveChannel(part.channel, enabled) !== undefined;
      if (isEnabled && (this.#mustWait(session, part) || !this.#mayWrite(session))) return;
      const message = isEnabled ? await this.#writeLine(session, part) : await this.#failDisabled(part);
      if (message !== undefined) changed.set(part.messageId, message);
    }
  }

  /**
   * A refusal does not name a line. Where the server sends no echoes, the earlier line in the channel must therefore be
   * settled first: by the server's answer to a later question, or by time alone if the next line can't be written sooner.
   */
  #mustWait(session: BouncerSession, { channel }: MessagePart): boolean {
    if (session.hasServerEcho) return false;
    const { clock } = this.#options.context;
    const writtenAt = this.#sent.undecidedIn(channel, clock.now() - FALSE_ECHO_MS);
    if (writtenAt === undefined) return false;
    // The question takes one token, and the line another.
    const isWorthAsking = session.isUnpaced || this.#pacing.turnOf(2, clock.monotonic()) === 0;
    if (isWorthAsking && clock.now() - writtenAt < FALSE_ECHO_MS - LOOK_MS) this.#ask();
    return true;
  }

  #mayWrite(session: BouncerSession): boolean {
    return session.isUnpaced || this.#pacing.take(this.#options.context.clock.monotonic()) === 0;
  }

  /**
   * Stores the line as written first, then writes it: after a crash in between it is not sent twice.
   * ended-ok: it is written only while the session is the one that stands.
   */
  async #writeLine(session: BouncerSession, part: MessagePart): Promise<OutgoingMessage | undefined> {
    const { messages } = this.#options.context.store;
    this.#unwritten.add(part.tag);
    const message = await messages.setPartStatus(part, 'queued');
    try {
      if (this.#options.session() !== session) throw new Error('the connection to the bouncer was lost');
      session.sendMessage(part.channel, part.text, part.tag);
    } catch (error) {
      return messages.setPartStatus(part, 'failed', messageOf(error));
    }
    this.#unwritten.delete(part.tag);
    this.#sent.wrote(part.tag, { channel: part.channel, at: this.#options.context.clock.now() });
    return message;
  }

  #failDisabled(part: MessagePart): Promise<OutgoingMessage | undefined> {
    return this.#options.context.store.messages.setPartStatus(part, 'failed', DISABLED);
  }

  async #outstanding(): Promise<OutstandingPart[]> {
    const { context, accountId } = this.#options;
    const parts = await context.store.messages.outstanding(accountId, context.clock.now() - OUTSTANDING_MAX_MS);
    return parts.map((part) => (this.#unwritten.has(part.tag) ? { ...part, writtenAt: null } : part));
  }

  async #pending(): Promise<OutstandingPart[]> {
    return (await this.#outstanding()).filter(isPending);
  }

  /** The first part of a message that fails also fails those after it, which wait. */
  async #fail(parts: readonly MessagePart[], reason: string): Promise<void> {
    const failed = new Set<string>();
    for (const part of parts) {
      if (failed.has(part.messageId)) continue;
      failed.add(part.messageId);
      await this.#options.context.store.messages.setPartStatus(part, 'failed', reason);
    }
  }

  /** Ends what can be decided; returns the rest. */
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

  /** Asks the server something: after the answer no refusal of an earlier line can come any more. */
  #ask(): void {
    const session = this.#options.session();
    if (session?.upstream !== true) return;
    const answered = this.#sent.ask();
    if (answered === undefined) return;
    this.#pacing.spend(this.#options.context.clock.monotonic());
    void session.probeUpstream(PROBE_DEADLINE_MS).then((isAnswered) => {
      // In turn: an echo that came before the answer is stored first.
      this.#options.tell(() => {
        answered(isAnswered);
        return this.drain();
      });
    });
  }
}

const isPending = ({ writtenAt }: OutstandingPart): boolean => writtenAt === null;
