import { messageOf } from '../../kernel/errors.ts';
import { OUTSTANDING_MAX_MS, PROBE_DEADLINE_MS } from '../domain/limits.ts';
import { judgePart, type MessagePart, type OutstandingPart } from '../domain/outgoing-message.ts';
import { Pacing } from '../domain/pacing.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import type { ServiceContext } from './context.ts';

/** How often lines on their way are looked at while there are any. */
const LOOK_MS = 500;

export interface OutboxOptions {
  accountId: string;
  context: ServiceContext;
  session: () => BouncerSession | undefined;
  /** Runs a task in the account's queue. */
  run: (task: () => Promise<void>) => Promise<void>;
}

/** Writes one account's pending lines at the pace the upstream allows, and sees that each comes to an end. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #pacing: Pacing;
  #timer: NodeJS.Timeout | undefined;
  #answeredAt: number | undefined;
  #isAsking = false;
  #isClosed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#pacing = new Pacing(options.context.clock.monotonic());
  }

  /** Writes what may be written now; call in the account's queue. */
  async drain(): Promise<void> {
    const { context, accountId } = this.#options;
    const parts = await this.#settleOutstanding();
    for (const part of parts.filter(({ writtenAt }) => writtenAt === null)) {
      const session = this.#options.session();
      if (session?.upstream !== true || !this.#mayWrite(session)) break;
      // A part that failed takes those behind it along.
      const [next] = await context.store.messages.pendingParts(accountId, 1);
      if (next?.tag === part.tag) await this.#write(session, part);
    }
    if (parts.length > 0) this.#lookLater();
  }

  async refused(channel: string | undefined, reason: string): Promise<void> {
    const { messages } = this.#options.context.store;
    const part = await messages.oldestQueuedPart(this.#options.accountId, channel);
    if (part !== undefined) await messages.setPartStatus(part, 'failed', reason);
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

  #mayWrite(session: BouncerSession): boolean {
    return session.isUnpaced || this.#pacing.take(this.#options.context.clock.monotonic()) === 0;
  }

  /** Stored as written before it is: after a crash in between it is never sent twice. */
  async #write(session: BouncerSession, part: MessagePart): Promise<void> {
    const { messages } = this.#options.context.store;
    await messages.setPartStatus(part, 'queued');
    try {
      session.sendMessage(part.channel, part.text, part.tag);
    } catch (error) {
      await messages.setPartStatus(part, 'failed', messageOf(error));
    }
  }

  async #settleOutstanding(): Promise<OutstandingPart[]> {
    const { context, accountId } = this.#options;
    const { messages } = context.store;
    const now = context.clock.now();
    const left: OutstandingPart[] = [];
    for (const part of await messages.outstanding(accountId, now - OUTSTANDING_MAX_MS)) {
      const verdict = judgePart(part, now, this.#answeredAt);
      if (verdict === 'echoed') await messages.setPartStatus(part, 'echoed');
      else if (verdict === 'too_late_to_send') {
        await messages.setPartStatus(part, 'failed', 'it could not be sent in time: the network takes no lines now');
      } else if (verdict === 'unanswered') {
        await messages.setPartStatus(part, 'failed', 'the server took it and sent it to nobody, without a reason');
      } else left.push(part);
      if (verdict === 'ask_server') this.#ask();
    }
    return left;
  }

  /** What the server answers after a line it did not echo, it answers because it dropped the line. */
  #ask(): void {
    const session = this.#options.session();
    if (this.#isAsking || session?.upstream !== true) return;
    this.#isAsking = true;
    const askedAt = this.#options.context.clock.now();
    void session.probeUpstream(PROBE_DEADLINE_MS).then((isAnswered) => {
      this.#isAsking = false;
      if (isAnswered) this.#answeredAt = askedAt;
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
