import { messageOf } from '../../kernel/errors.ts';
import {
  BOUNCER_BURST_LINES,
  BOUNCER_BURST_MS,
  FALSE_ECHO_MS,
  OUTSTANDING_MAX_MS,
  PROBE_DEADLINE_MS,
  SEND_BURST_LINES,
} from '../domain/limits.ts';
import { judgePart, type MessagePart, type OutstandingPart } from '../domain/outgoing-message.ts';
import { Pacing } from '../domain/pacing.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import type { PresenceContext } from './context.ts';
import { SentLines } from './sent-lines.ts';

/** How often outstanding lines are checked. */
const LOOK_MS = 500;

/** Questions between the lines of a burst, so that each line is settled before the next. Later lines are too far apart to need any. */
const BURST_QUESTIONS = Math.floor(SEND_BURST_LINES / 2);

export interface OutboxOptions {
  accountId: string;
  context: PresenceContext;
  session: () => BouncerSession | undefined;
  /** Whether lines may be said in the channel; asked only after the account's channels were read. */
  isEnabled: (channel: string) => boolean;
  /** Runs a task in the account's queue. */
  run: (task: () => Promise<void>) => Promise<void>;
  /** Runs a task in that queue when everything the bouncer told before is stored. */
  inTurn: (task: () => Promise<void>) => void;
}

/** Writes one account's pending lines at the pace the upstream allows, and makes sure that each is settled. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #pacing: Pacing;
  readonly #sent = new SentLines();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#pacing = new Pacing(options.context.clock.monotonic());
  }

  /** Milliseconds until the last of this many more lines can be written. */
  async turnOf(lineCount: number): Promise<number> {
    const { context, accountId, session } = this.#options;
    const live = session();
    if (live?.upstream === true && live.isUnpaced) return 0;
    const ahead = await context.store.messages.countPendingParts(accountId);
    const questions = live?.hasServerEcho === false ? BURST_QUESTIONS : 0;
    return this.#pacing.turnOf(ahead + questions + lineCount, context.clock.monotonic());
  }

  /** Writes what may be written now; call in the account's queue. */
  async drain(): Promise<void> {
    const { context, accountId } = this.#options;
    const parts = await this.#settleOutstanding();
    for (const part of parts.filter(({ writtenAt }) => writtenAt === null)) {
      const session = this.#options.session();
      if (session?.upstream !== true) break;
      // Checked once more right here: a send may have been accepted just before the channel was disabled.
      if (!this.#options.isEnabled(part.channel)) {
        await this.giveUpDisabled();
        continue;
      }
      if (this.#mustWait(session, part) || !this.#mayWrite(session)) break;
      // A failed part also fails the parts after it, so the next one may have changed.
      const [next] = await context.store.messages.pendingParts(accountId, 1);
      if (next?.tag === part.tag) await this.#write(session, part);
    }
    if (parts.length > 0) this.#lookLater();
  }

  /** The server refused a line: the oldest of the channel, or of all channels when none is named, because it answers in order. */
  async refused(channel: string | undefined, reason: string): Promise<void> {
    const { messages } = this.#options.context.store;
    const parts = await this.#outstanding();
    const part = parts.find(
      (candidate) => this.#sent.has(candidate.tag) && (channel === undefined || candidate.channel === channel),
    );
    if (part !== undefined) await messages.setPartStatus(part, 'failed', reason);
  }

  /** There is a new connection to the server; its answers say nothing about earlier lines. */
  linkChanged(): void {
    this.#sent.reset();
  }

  /** Counts the lines that the bouncer got lately, perhaps from an earlier run of this program; call in the account's queue. */
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

  /** Drops the lines that wait to be sent. */
  async giveUp(reason: string): Promise<void> {
    const { context, accountId } = this.#options;
    for (;;) {
      const [part] = await context.store.messages.pendingParts(accountId, 1);
      if (part === undefined) return;
      await context.store.messages.setPartStatus(part, 'failed', reason);
    }
  }

  /** Drops the lines that wait for channels which are no longer enabled. */
  async giveUpDisabled(): Promise<void> {
    const { messages } = this.#options.context.store;
    const failed = new Set<string>();
    for (const part of await this.#outstanding()) {
      const { messageId, channel, writtenAt } = part;
      // The first part fails those after it.
      if (writtenAt !== null || failed.has(messageId) || this.#options.isEnabled(channel)) continue;
      failed.add(messageId);
      await messages.setPartStatus(part, 'failed', 'the channel was disabled');
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /**
   * A refusal does not name a line. Where the server sends no echoes, the earlier line in the channel must therefore be
   * settled first: by the server's answer to a later question, or by time alone if the next line can't be written sooner.
   */
  #mustWait(session: BouncerSession, { channel }: MessagePart): boolean {
    const writtenAt = session.hasServerEcho ? undefined : this.#sent.undecidedIn(channel);
    if (writtenAt === undefined) return false;
    const { clock } = this.#options.context;
    // The question takes one token, and the line another.
    const isWorthAsking = session.isUnpaced || this.#pacing.turnOf(2, clock.monotonic()) === 0;
    if (isWorthAsking && clock.now() - writtenAt < FALSE_ECHO_MS - LOOK_MS) this.#ask();
    return true;
  }

  #mayWrite(session: BouncerSession): boolean {
    return session.isUnpaced || this.#pacing.take(this.#options.context.clock.monotonic()) === 0;
  }

  /** Stores the line as written first, then writes it: after a crash in between it is not sent twice. */
  async #write(session: BouncerSession, part: MessagePart): Promise<void> {
    const { messages } = this.#options.context.store;
    await messages.setPartStatus(part, 'queued');
    try {
      session.sendMessage(part.channel, part.text, part.tag);
      this.#sent.wrote(part.tag, { channel: part.channel, at: this.#options.context.clock.now() });
    } catch (error) {
      await messages.setPartStatus(part, 'failed', messageOf(error));
    }
  }

  #outstanding(): Promise<OutstandingPart[]> {
    const { context, accountId } = this.#options;
    return context.store.messages.outstanding(accountId, context.clock.now() - OUTSTANDING_MAX_MS);
  }

  async #settleOutstanding(): Promise<OutstandingPart[]> {
    const { context } = this.#options;
    const { messages } = context.store;
    const parts = await this.#outstanding();
    const left: OutstandingPart[] = [];
    for (const part of parts) {
      const verdict = judgePart(part, context.clock.now(), this.#sent.fateOf(part.tag));
      if (verdict === 'echoed') await messages.setPartStatus(part, 'echoed');
      else if (verdict === 'too_late_to_send') {
        await messages.setPartStatus(part, 'failed', 'it could not be sent in time: the network takes no lines now');
      } else if (verdict === 'unanswered') {
        await messages.setPartStatus(part, 'failed', 'the server dropped it without giving a reason');
      } else left.push(part);
      if (verdict === 'ask_server') this.#ask();
    }
    this.#sent.keep(new Set(left.map(({ tag }) => tag)));
    return left;
  }

  /** Asks the server something: an answer without an earlier echo means that the server dropped the line. */
  #ask(): void {
    const session = this.#options.session();
    if (session?.upstream !== true) return;
    const answered = this.#sent.ask();
    if (answered === undefined) return;
    this.#pacing.spend(this.#options.context.clock.monotonic());
    void session.probeUpstream(PROBE_DEADLINE_MS).then((isAnswered) => {
      // In turn: an echo that came before the answer is stored first.
      this.#options.inTurn(() => {
        answered(isAnswered);
        return this.drain();
      });
    });
  }

  #lookLater(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      const run = async () => this.#options.run(() => this.drain());
      run().catch((error: unknown) => {
        this.#options.context.log.error(
          { account: this.#options.accountId, err: error },
          'waiting lines can’t be sent or checked; trying again',
        );
        this.#lookLater();
      });
    }, LOOK_MS);
  }
}
