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
import type { ServiceContext } from './context.ts';
import { SentLines } from './sent-lines.ts';

/** How often lines on their way are looked at while there are any. */
const LOOK_MS = 500;

/** Between the lines of a burst, where each is decided before the next; behind it lines come too seldom to need any. */
const BURST_QUESTIONS = Math.floor(SEND_BURST_LINES / 2);

export interface OutboxOptions {
  accountId: string;
  context: ServiceContext;
  session: () => BouncerSession | undefined;
  /** Runs a task in the account's queue. */
  run: (task: () => Promise<void>) => Promise<void>;
  /** Runs a task in that queue when everything the bouncer told before is stored. */
  inTurn: (task: () => Promise<void>) => void;
}

/** Writes one account's pending lines at the pace the upstream allows, and sees that each comes to an end. */
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

  /** Milliseconds until the last of so many more lines gets its turn. */
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
      if (session?.upstream !== true || this.#mustWait(session, part) || !this.#mayWrite(session)) break;
      // A part that failed takes those behind it along.
      const [next] = await context.store.messages.pendingParts(accountId, 1);
      if (next?.tag === part.tag) await this.#write(session, part);
    }
    if (parts.length > 0) this.#lookLater();
  }

  /** The server refused a line of the channel, of any channel where none is named: the oldest, for it answers in order. */
  async refused(channel: string | undefined, reason: string): Promise<void> {
    const { messages } = this.#options.context.store;
    const parts = await this.#outstanding();
    const part = parts.find(
      (candidate) => this.#sent.has(candidate.tag) && (channel === undefined || candidate.channel === channel),
    );
    if (part !== undefined) await messages.setPartStatus(part, 'failed', reason);
  }

  /** The way to the server is another one from now on; nothing that comes on it decides about lines before. */
  linkChanged(): void {
    this.#sent.reset();
  }

  /** Counts what the bouncer was given lately, by an earlier run of this program perhaps; call in the account's queue. */
  async recall(): Promise<void> {
    const { context, accountId } = this.#options;
    const since = context.clock.now() - BOUNCER_BURST_MS;
    const lineCount = await context.store.messages.countWrittenParts(accountId, since, 2 * BOUNCER_BURST_LINES);
    this.#pacing.recall(lineCount, context.clock.monotonic());
  }

  /** The bouncer has connected anew and said what it must for that, which slows down what comes behind. */
  serverConnected(channelCount: number): void {
    this.#pacing.connected(channelCount, this.#options.context.clock.monotonic());
  }

  /** Nothing that waits is sent any more. */
  async giveUp(reason: string): Promise<void> {
    const { context, accountId } = this.#options;
    for (;;) {
      const [part] = await context.store.messages.pendingParts(accountId, 1);
      if (part === undefined) return;
      await context.store.messages.setPartStatus(part, 'failed', reason);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /**
   * A refusal names no line. Where the server sends none back, the one before it in the channel is decided first: by
   * the server's answer to what is asked after it, or by time alone where the line's own turn comes no sooner.
   */
  #mustWait(session: BouncerSession, { channel }: MessagePart): boolean {
    const writtenAt = session.hasServerEcho ? undefined : this.#sent.undecidedIn(channel);
    if (writtenAt === undefined) return false;
    const { clock } = this.#options.context;
    // The question takes a turn, and the line another one.
    const isWorthAsking = session.isUnpaced || this.#pacing.turnOf(2, clock.monotonic()) === 0;
    if (isWorthAsking && clock.now() - writtenAt < FALSE_ECHO_MS - LOOK_MS) this.#ask();
    return true;
  }

  #mayWrite(session: BouncerSession): boolean {
    return session.isUnpaced || this.#pacing.take(this.#options.context.clock.monotonic()) === 0;
  }

  /** Stored as written before it is: after a crash in between it is never sent twice. */
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
        await messages.setPartStatus(part, 'failed', 'the server took it and sent it to nobody, without a reason');
      } else left.push(part);
      if (verdict === 'ask_server') this.#ask();
    }
    this.#sent.keep(new Set(left.map(({ tag }) => tag)));
    return left;
  }

  /** What the server answers after a line it did not echo, it answers because it dropped the line. */
  #ask(): void {
    const session = this.#options.session();
    if (session?.upstream !== true) return;
    const answered = this.#sent.ask();
    if (answered === undefined) return;
    this.#pacing.spend(this.#options.context.clock.monotonic());
    void session.probeUpstream(PROBE_DEADLINE_MS).then((isAnswered) => {
      // An echo that came before the answer is stored before it counts.
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
          'sends can’t be looked after',
        );
        this.#lookLater();
      });
    }, LOOK_MS);
  }
}
