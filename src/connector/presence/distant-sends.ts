import { WRITE_WAIT_MS } from '../domain/limits.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import type { MessageStore } from '../ports/message-store.ts';
import type { SendOrder } from '../ports/presence.ts';
import { Sending, type Writer } from './sending.ts';
import { sleep } from './sleep.ts';

/** Waits between looks at a send that another process writes: each is twice as long as the one before. */
const LOOK_MS = 20;
const LOOK_MAX_MS = 100;

export interface DistantSendsParts {
  messages: Pick<MessageStore, 'findByKey' | 'accept' | 'find'>;
  /** Hints to the process that acts for the account that a send waits. */
  invalidations: Pick<Invalidations, 'invalidate'> | undefined;
}

/** Accepts sends for accounts whose sessions another process has; that one writes them. */
export class DistantSends {
  readonly #parts: DistantSendsParts;
  /** Accounts with sends under way. */
  readonly #sendings = new Map<string, { sending: Sending; sends: number }>();

  constructor(parts: DistantSendsParts) {
    this.#parts = parts;
  }

  async send(accountId: string, order: SendOrder): Promise<OutgoingMessage> {
    const own = this.#sendings.get(accountId) ?? { sending: this.#sendingOf(accountId), sends: 0 };
    this.#sendings.set(accountId, own);
    own.sends += 1;
    try {
      return await own.sending.send(order);
    } finally {
      own.sends -= 1;
      if (own.sends === 0) this.#sendings.delete(accountId);
    }
  }

  #sendingOf(accountId: string): Sending {
    const { messages } = this.#parts;
    return new Sending({ accountId, messages, writer: distantWriter(accountId, this.#parts) });
  }
}

/** Lets the process that has the account's session write its lines: it finds them without the hint, a second later. */
export function distantWriter(
  accountId: string,
  { messages, invalidations }: Omit<DistantSendsParts, 'messages'> & { messages: Pick<MessageStore, 'find'> },
): Writer {
  const hint = (): void => invalidations?.invalidate('sends', accountId);
  return {
    doubt: hint,
    lookLater: hint,
    settled: () => undefined,
    written: async (message) => {
      hint();
      let now = message;
      const deadline = performance.now() + WRITE_WAIT_MS;
      for (let waitMs = LOOK_MS; now.status === 'pending'; waitMs = Math.min(2 * waitMs, LOOK_MAX_MS)) {
        const leftMs = deadline - performance.now();
        if (leftMs <= 0) break;
        await sleep(Math.min(waitMs, leftMs));
        // The next look comes soon; the caller then answers with what is known.
        now = (await messages.find(message.messageId).catch(() => undefined)) ?? now;
      }
      return now;
    },
  };
}
