import type { OutgoingMessage } from '../../src/connector/domain/outgoing-message.ts';
import type { Invalidations, Subject } from '../../src/connector/ports/invalidations.ts';
import type { NewMessage, SendToAccept } from '../../src/connector/ports/message-store.ts';
import type { SendingState } from '../../src/connector/ports/presence-store.ts';
import type { Database } from '../../src/connector/store/database.ts';
import { arrivalLock, lock } from '../../src/connector/store/dialect.ts';
import { insertLines, insertMessageRow, renewMessage } from '../../src/connector/store/sends.ts';
import { createInvalidations, invalidating } from '../../src/connector/store/shared-invalidations.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { OpenStore } from './open-store.ts';

const STATUS = {
  ...{ sessionSince: 0, nick: 'ada', nickRefusal: null, upstream: true, isAnswering: true },
  ...{ joinedChannels: ['#room'], notJoined: {}, loggedInAs: null, problems: [] },
};

/** Records an account as online, as the process that has its session does. */
export async function onlineInStore(
  { store, clock }: Pick<OpenStore, 'store' | 'clock'>,
  accountId: string,
  changes: Partial<SendingState> = {},
): Promise<void> {
  await store.accounts.setOnline(accountId, clock.now());
  const sending = {
    ...{ nick: 'ada', network: 'main', isUnpaced: false, hasServerEcho: true, pacedUntil: 0, pacedAt: 0 },
    ...changes,
  };
  await store.presences.write(accountId, STATUS, sending);
}

/** A send to be accepted. */
export const sendOf = (accountId: string, text: string, changes: Partial<SendToAccept> = {}): SendToAccept => ({
  ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: undefined, channel: '#room' },
  ...{ text, heldPosts: () => 0, ...changes },
});

/** Where a send is stored. */
interface Place {
  database: Database;
  clock: Pick<Clock, 'now'>;
  /** Reports the change to the store that keeps values in memory. */
  invalidations?: Invalidations;
}

/** Runs a transaction that changes an account's sends, as each of the store does. */
function changing<T>(
  { database, invalidations = createInvalidations() }: Place,
  accountId: string,
  work: (transaction: Database, tell: (subject: Subject) => void) => Promise<T>,
): Promise<T> {
  const told: Subject[] = [['entries', accountId]];
  return invalidating(invalidations, told, () =>
    database.transaction(async (transaction) => {
      await lock(transaction, arrivalLock(accountId));
      return work(transaction, (subject) => told.push(subject));
    }),
  );
}

/** Stores a pending send with lines and tags of the test's choice, of an account that may be offline. */
export const storeSend = (place: Place, message: NewMessage): Promise<OutgoingMessage> =>
  changing(place, message.accountId, async (transaction, invalidate) => {
    const now = place.clock.now();
    const ids = await insertMessageRow(transaction, message, now);
    if (ids === undefined) throw new Error('the client has used this key');
    return insertLines(transaction, message, ids, { now, invalidate });
  });

/** Makes the failed lines of a send pending again, under tags of the test's choice. */
export async function renewSend(place: Place, messageId: string, newTag: () => string): Promise<OutgoingMessage> {
  const [accountId = '']: string[] = await place
    .database('messages')
    .where('message_id', messageId)
    .pluck('account_id');
  return changing(place, accountId, (transaction) =>
    renewMessage(transaction, { messageId, newTag, network: 'main', now: place.clock.now() }),
  );
}
