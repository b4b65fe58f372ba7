import { type ChannelPlace, countGone, countSendsGone, findReceived, type Sender } from './counts.ts';
import type { Database } from './database.ts';

/** An entry that loses its place; `sender` is set for a send. */
export interface Departure {
  row: number;
  sender: Sender | undefined;
}

/** Group of cursors to which an entry's departure applies: behind a row, or at one. */
interface Behind {
  operator: '<' | '=';
  row: number;
  /** Number of departing entries ahead of them. */
  count: number;
}

interface CursorRow {
  session_id: string;
  account_id: string;
  channel: string;
  client_id: string;
  acknowledged_row: number | string;
  passed: number | string;
  own_passed: number | string;
  gap_row: number | string;
}

/**
 * Removes entries from the running numbers: failed sends, or entries that retention removed. Call it after that is
 * stored, under the account's arrival lock, once for each entry.
 * @param isLoss whether sessions that did not acknowledge them get a gap
 */
export async function depart(
  database: Database,
  place: ChannelPlace,
  departures: readonly Departure[],
  { isLoss }: { isLoss: boolean },
): Promise<void> {
  if (departures.length === 0) return;
  const receivedRow = await countGone(database, place, departures.length);
  for (const { sender, rows } of bySender(departures)) {
    if (sender !== undefined) await countSendsGone(database, place, sender, rows.length);
    for (const behind of await cursorsBehind(database, place, rows)) {
      await passBy(database, place, behind, sender);
      if (isLoss) await noteLoss(database, place, behind, { sender, row: Math.max(...rows) });
    }
  }
  if (departures.some(({ row }) => row === receivedRow)) await findReceived(database, place);
}

function bySender(departures: readonly Departure[]): { sender: Sender | undefined; rows: number[] }[] {
  const groups = new Map<string, { sender: Sender | undefined; rows: number[] }>();
  for (const { row, sender } of departures) {
    const key = sender === undefined ? '' : JSON.stringify([sender.clientId, sender.sessionId]);
    const group = groups.get(key) ?? { sender, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}

const cursorsIn = (database: Database, { accountId, channel }: ChannelPlace) =>
  database<CursorRow>('agent_cursors').where({ account_id: accountId, channel });

/** Groups the cursors: most are behind all of the rows or ahead of all; those in between are grouped by their row. */
async function cursorsBehind(database: Database, place: ChannelPlace, rows: readonly number[]): Promise<Behind[]> {
  const [first, last] = [Math.min(...rows), Math.max(...rows)];
  const behind: Behind = { operator: '<', row: first, count: rows.length };
  if (first === last) return [behind];
  const between = await cursorsIn(database, place)
    .where('acknowledged_row', '>=', first)
    .where('acknowledged_row', '<', last)
    .distinct('acknowledged_row');
  return [
    behind,
    ...between.map(({ acknowledged_row }): Behind => {
      const at = Number(acknowledged_row);
      return { operator: '=', row: at, count: rows.filter((row) => row > at).length };
    }),
  ];
}

async function passBy(
  database: Database,
  place: ChannelPlace,
  { operator, row, count }: Behind,
  sender: Sender | undefined,
): Promise<void> {
  const cursors = () => cursorsIn(database, place).where('acknowledged_row', operator, row);
  await cursors().update({ passed: database.raw('passed + ?', [count]) });
  if (sender === undefined) return;
  await cursors()
    .where(ownerOf(sender))
    .update({ own_passed: database.raw('own_passed + ?', [count]) });
}

/** Records a gap for these cursors, except for the session's own sends. */
async function noteLoss(
  database: Database,
  place: ChannelPlace,
  { operator, row }: Behind,
  lost: { sender: Sender | undefined; row: number },
): Promise<void> {
  const { sender } = lost;
  const cursors = cursorsIn(database, place)
    .where('acknowledged_row', operator, row)
    .where('gap_row', '<', lost.row)
    .update({ gap_row: lost.row });
  await (sender === undefined ? cursors : cursors.whereNot((own) => own.where(ownerOf(sender))));
}

const ownerOf = ({ clientId, sessionId }: Sender): Partial<CursorRow> =>
  sessionId === null ? { client_id: clientId } : { client_id: clientId, session_id: sessionId };
