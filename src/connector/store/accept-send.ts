import { BOUNCER_BURST_LINES, CLOCKS_DIFFER_MS, PENDING_MAX_MS, PROBES_OF_BURST } from '../domain/limits.ts';
import { splitText, textBudgetBytes } from '../domain/message-text.ts';
import { isSameSend } from '../domain/outgoing-message.ts';
import { turnAfter } from '../domain/pacing.ts';
import { accountOffline, accountRemoved, bouncerUnreachable, idempotencyConflict } from '../errors.ts';
import type { Accepted, Admit, Hold, LinesToAdmit, SendToAccept } from '../ports/message-store.ts';
import type { SendingState } from '../ports/presence-store.ts';
import { newSecret } from '../random.ts';
import type { Database } from './database.ts';
import { arrivalLock, lock } from './dialect.ts';
import type { PartRow } from './parts.ts';
import { requirePostPlace } from './posts.ts';
import { sendingStateOf } from './presence-rows.ts';
import { findByKey, insertLines, insertMessageRow, renewMessage } from './sends.ts';
import type { Stored } from './stored.ts';

/** Number of the newest lines of each status that are examined: a line that is sent again keeps its place. */
const NEWEST_LINES = 2 * BOUNCER_BURST_LINES;

/** Statuses of lines that were written. */
const WRITTEN = ['queued', 'echoed', 'failed'] as const;

/** Ends the transaction of a send that must wait, which has stored a part of it already. */
export class Held extends Error {
  readonly hold: Hold;
  constructor(hold: Hold) {
    super('the send must wait before it can be accepted');
    this.hold = hold;
  }
}

interface RoomRow {
  online_since: number | string | null;
  sending: string | null;
  waiting: number | string;
  queued_until: number | string | null;
  echoed_until: number | string | null;
  failed_until: number | string | null;
}

/** State of the account's session and of the lines before a send. */
interface Room {
  sending: SendingState;
  waitingCount: number;
  turnOf: (lineCount: number) => number;
}

/**
 * Accepts a send; call it in a transaction of its own.
 * @throws Held if it must wait; ConnectorError
 */
export async function acceptSend(
  database: Database,
  send: SendToAccept,
  admit: Admit,
  { now, invalidate }: Pick<Stored, 'now' | 'invalidate'>,
): Promise<Accepted> {
  const { accountId, channel, text } = send;
  await lock(database, arrivalLock(accountId));
  const room = await readRoom(database, accountId, now);
  const { nick, network } = room.sending;
  if (send.isPost === true) await requirePostPlace(database, accountId, send.heldPosts());
  const ids = await insertMessageRow(database, send, now);
  if (ids === undefined) return acceptAgain(database, send, admit, { room, now });
  const parts = splitText(text, textBudgetBytes(nick, channel)).map((part) => ({ text: part, tag: newSecret() }));
  requireRoom(room, parts.length, admit);
  const message = await insertLines(database, { ...send, network, nick, parts }, ids, { now, invalidate });
  return { message, lineCount: parts.length };
}

/** Answers a send under a known key: what failed is accepted again. */
async function acceptAgain(
  database: Database,
  send: SendToAccept,
  admit: Admit,
  { room, now }: { room: Room; now: number },
): Promise<Accepted> {
  const { accountId, clientId, idempotencyKey: key = '' } = send;
  const earlier = await findByKey(database, { accountId, clientId, key });
  if (earlier === undefined) throw new Error('messages: a key was refused as known, and no message has it');
  if (!isSameSend(earlier, send)) throw idempotencyConflict();
  const { message } = earlier;
  if (message.status !== 'failed') return { message, lineCount: 0 };
  const { messageId } = message;
  const failed = await database<PartRow>('message_parts')
    .where({ message_id: messageId, status: 'failed' })
    .select('row');
  requireRoom(room, failed.length, admit);
  const { network } = room.sending;
  const renewed = await renewMessage(database, { messageId, newTag: newSecret, network, now });
  return { message: renewed, lineCount: failed.length };
}

function requireRoom({ waitingCount, turnOf }: Room, lineCount: number, admit: Admit): void {
  const lines: LinesToAdmit = { lineCount, waitingCount, turnOf };
  const hold = admit(lines);
  if (hold !== undefined) throw new Held(hold);
}

/**
 * Selects the latest time until which one of the newest lines of a status is paced. A line is not paced beyond the time
 * at which it was written, so one that is dated ahead is from before the clock was set back.
 */
const pacedUntil = (status: string): string =>
  `(SELECT max(paced_until) FROM (SELECT paced_until FROM message_parts
    WHERE account_id = accounts.account_id AND status = '${status}'
    ORDER BY "row" DESC LIMIT ${NEWEST_LINES}) AS newest WHERE paced_until <= ?) AS ${status}_until`;

/** Columns of a `Room` about lines, as text: to build four queries would cost more than to run them. */
const LINES_OF_ROOM = [
  `(SELECT count(*) FROM message_parts
    WHERE account_id = accounts.account_id AND status = 'pending' AND created_at > ?) AS waiting`,
  ...WRITTEN.map(pacedUntil),
].join(', ');

/** @throws ConnectorError account_removed, account_offline, bouncer_unreachable */
async function readRoom(database: Database, accountId: string, now: number): Promise<Room> {
  const latest = now + CLOCKS_DIFFER_MS;
  const row: RoomRow | undefined = await database('accounts')
    .leftJoin('presences', 'presences.account_id', 'accounts.account_id')
    .where('accounts.account_id', accountId)
    .whereNull('accounts.removed_at')
    .first(
      'accounts.online_since',
      'presences.sending',
      database.raw(LINES_OF_ROOM, [now - PENDING_MAX_MS, ...WRITTEN.map(() => latest)]),
    );
  if (row === undefined) throw accountRemoved();
  if (row.online_since === null) throw accountOffline();
  const sending = sendingStateOf(row.sending);
  if (sending === undefined) throw bouncerUnreachable(new Error('no session'));
  const waitingCount = Number(row.waiting);
  const emptyAt = Math.max(
    sending.pacedAt <= latest ? sending.pacedUntil : 0,
    ...[row.queued_until, row.echoed_until, row.failed_until].map((until) => Number(until ?? 0)),
  );
  const ahead = waitingCount + (sending.hasServerEcho ? 0 : PROBES_OF_BURST);
  return {
    sending,
    waitingCount,
    turnOf: (lineCount) => (sending.isUnpaced ? 0 : turnAfter(emptyAt, ahead + lineCount, now)),
  };
}
