import { WRITE_WAIT_MS } from '../domain/limits.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import { distantWriter } from './distant-sends.ts';
import type { Mailbox } from './mailbox.ts';
import type { Outbox } from './outbox.ts';
import type { PresenceContext } from './presence-context.ts';
import type { Writer } from './sending.ts';
import { sleep } from './sleep.ts';
import type { StatusRecord } from './status-record.ts';

export interface OwnWriterParts {
  accountId: string;
  context: PresenceContext;
  mailbox: Mailbox;
  outbox: Outbox;
  record: StatusRecord;
  session: () => BouncerSession | undefined;
  /** Whether another process goes on with the account. */
  hasLeft: () => boolean;
}

/**
 * Writes the lines of an account whose session this process has, in the account's turn. ended-ok: the send is accepted
 * already, and the outbox looks at the session before it writes a line.
 */
export function ownWriter({ accountId, context, mailbox, outbox, record, session, hasLeft }: OwnWriterParts): Writer {
  const { messages } = context.store;
  const next = distantWriter(accountId, { messages, invalidations: context.invalidations });
  return {
    doubt: () => outbox.doubt(),
    lookLater: () => outbox.lookLater(),
    // ended-ok: the session only tells whether it is worth asking again; the database decides.
    settled: () =>
      session() === undefined
        ? undefined
        : mailbox
            .call(() => record.settled())
            .catch((error: unknown) => {
              if (!hasLeft()) throw error;
            }),
    written: async (message) => {
      // What fails, or takes longer than a moment, is done later.
      const write = mailbox
        .call(async () => (await outbox.write(await outbox.waiting())).get(message.messageId))
        .catch((error: unknown) => {
          if (hasLeft()) return next.written(message);
          context.log.warn({ account: accountId, err: error }, 'a send is stored, but could not be written yet');
          outbox.lookLater();
          return message;
        });
      const late = new AbortController();
      const timeout = sleep(WRITE_WAIT_MS, { signal: late.signal, ref: false }).then(() => message);
      try {
        const now = await Promise.race([write, timeout]);
        // Written in the turn of another send.
        return now ?? (await messages.find(message.messageId)) ?? message;
      } finally {
        late.abort();
      }
    },
  };
}
