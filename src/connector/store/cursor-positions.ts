import { sumOf, unreadCount } from '../domain/unread.ts';
import type { CursorPosition, Reader } from '../ports/agent-cursors.ts';
import type { Database } from './database.ts';

interface PositionRow {
  channel: string;
  stored: number | string;
  gone: number | string;
  named_stored: number | string | null;
  named_gone: number | string | null;
  unnamed_stored: number | string | null;
  unnamed_gone: number | string | null;
  /** Null until the session reads the channel. */
  passed: number | string | null;
  own_passed: number | string | null;
  acknowledged_entry_id: string | null;
}

/** A channel that never had an entry. */
const AT_START: CursorPosition = { unreadCount: 0, lastAcknowledgedEntryId: null };

/** How much of each channel is unread for the session. */
export async function positionsOf(
  database: Database,
  reader: Reader,
  channels: readonly string[],
): Promise<Map<string, CursorPosition>> {
  const rows = await positionsIn(database, reader, channels);
  const found = new Map(rows.map((row) => [row.channel, positionOf(row)]));
  return new Map(channels.map((channel) => [channel, found.get(channel) ?? AT_START]));
}

/** One statement, so that all numbers are of the same moment. */
function positionsIn(
  database: Database,
  { accountId, clientId, sessionId }: Reader,
  channels: readonly string[],
): Promise<PositionRow[]> {
  const query = database('channel_counts as counts').leftJoin('agent_cursors as cursors', (join) =>
    join.on('cursors.channel', 'counts.channel').andOnVal('cursors.session_id', sessionId),
  );
  for (const [name, session] of [
    ['named', sessionId],
    ['unnamed', ''],
  ] as const) {
    query.leftJoin(`send_counts as ${name}`, (join) =>
      join
        .on(`${name}.account_id`, 'counts.account_id')
        .andOn(`${name}.channel`, 'counts.channel')
        .andOnVal(`${name}.client_id`, clientId)
        .andOnVal(`${name}.session_id`, session),
    );
  }
  return query
    .where('counts.account_id', accountId)
    .whereIn('counts.channel', [...channels])
    .select(
      ...['counts.channel', 'counts.stored', 'counts.gone'],
      ...['cursors.passed', 'cursors.own_passed', 'cursors.acknowledged_entry_id'],
      ...['named.stored as named_stored', 'named.gone as named_gone'],
      ...['unnamed.stored as unnamed_stored', 'unnamed.gone as unnamed_gone'],
    );
}

function positionOf(row: PositionRow): CursorPosition {
  const own = sumOf(
    { stored: Number(row.named_stored), gone: Number(row.named_gone) },
    { stored: Number(row.unnamed_stored), gone: Number(row.unnamed_gone) },
  );
  const cursor = row.passed === null ? undefined : { passed: Number(row.passed), ownPassed: Number(row.own_passed) };
  const entries = { stored: Number(row.stored), gone: Number(row.gone) };
  return { unreadCount: unreadCount({ entries, own, cursor }), lastAcknowledgedEntryId: row.acknowledged_entry_id };
}
