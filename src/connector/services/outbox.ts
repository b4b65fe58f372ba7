import { messageOf } from '../../kernel/errors.ts';
import type { CapturedLine } from '../domain/entry.ts';
import type { MessagePart } from '../domain/outgoing-message.ts';
import { Pacing } from '../domain/pacing.ts';
import type { BouncerSession, OwnLine } from '../ports.ts';
import type { ServiceContext } from './context.ts';

/** Writes one account's pending lines at the pace the upstream allows, and takes their echoes and refusals. */
export class Outbox {
  readonly #accountId: string;
  readonly #context: ServiceContext;
  readonly #drainAgain: () => Promise<void>;
  readonly #pacing: Pacing;
  #timer: NodeJS.Timeout | undefined;

  /** @param drainAgain called when a waiting line's turn has come; must run `drain` in the account's queue */
  constructor(accountId: string, context: ServiceContext, drainAgain: () => Promise<void>) {
    this.#accountId = accountId;
    this.#context = context;
    this.#drainAgain = drainAgain;
    this.#pacing = new Pacing(context.clock.monotonic());
  }

  async drain(session: BouncerSession | undefined): Promise<void> {
    while (session !== undefined) {
      const [part] = await this.#context.store.messages.pendingParts(this.#accountId, 1);
      if (part === undefined) return;
      const waitMs = session.isUnpaced ? 0 : this.#pacing.take(this.#context.clock.monotonic());
      if (waitMs > 0) {
        this.#later(waitMs);
        return;
      }
      await this.#write(session, part);
    }
  }

  /** True when the line is the echo of one of our sends. */
  async echoed(line: CapturedLine, { tag }: OwnLine): Promise<boolean> {
    const { messages } = this.#context.store;
    const part = await messages.findQueuedPart(this.#accountId, line, tag);
    if (part === undefined) return false;
    await messages.settleEcho(this.#accountId, part, line);
    return true;
  }

  async refused(channel: string | undefined, reason: string): Promise<void> {
    const { messages } = this.#context.store;
    const part = await messages.oldestQueuedPart(this.#accountId, channel);
    if (part !== undefined) await messages.setPartStatus(part, 'failed', reason);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Stored as written before it is: after a crash in between it is never sent twice. */
  async #write(session: BouncerSession, part: MessagePart): Promise<void> {
    const { messages } = this.#context.store;
    await messages.setPartStatus(part, 'queued');
    try {
      session.sendMessage(part.channel, part.text, part.tag);
    } catch (error) {
      await messages.setPartStatus(part, 'failed', messageOf(error));
    }
  }

  #later(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#drainAgain().catch((error: unknown) => {
        this.#context.log.error({ account: this.#accountId, err: error }, 'waiting messages could not be sent');
      });
    }, waitMs);
  }
}
