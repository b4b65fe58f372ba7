import { sumOf, unreadCount } from '../domain/unread-count.ts';
import type { CursorPosition, Reader } from '../ports/agent-cursor-store.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';
import type { Forgotten } from './forgotten.ts';
import { unreadEntries } from './unread-entries.ts';

/** Position of a session in a channel. */
export interface Position extends CursorPosition {
  acknowledgedRow: number;
  /** Whether the session has a cursor there. From then on its batches report what retention removed. */
  isBegun: boolean;
  hasGap: boolean;
}

/** Channel → position; channels that never had an entry are missing. */
type PositionsOfReader = ReadonlyMap<string, Position>;

/**
 * Caches the positions of sessions in the channels of their accounts, until an entry is stored or removed, or a cursor
 * moves. Polls of sessions without unread entries need no statement with it.
 */
export class Positions {
  readonly #readers: Database;
  readonly #forgotten: Forgotten;
  readonly #cache: Cache<PositionsOfReader, 'entries' | 'cursors'>;

  /** @param readers see `OpenDatabase` */
  constructor(readers: Database, invalidations: Invalidations, forgotten: Forgotten) {
    this.#readers = readers;
    this.#forgotten = forgotten;
    this.#cache = new Cache(invalidations, ['entries', 'cursors'], { isStrict: true });
  }

  async of(reader: Reader): Promise<PositionsOfReader> {
    const { accountId, sessionId } = reader;
    const from = { entries: accountId, cursors: sessionId };
    return (await this.#cache.read(keyOf(reader), from, () => this.#load(reader))) ?? new Map();
  }

  /** Reads the positions for the next poll, if they may be kept for it. */
  async prepare(reader: Reader): Promise<void> {
    if (this.#cache.keeps) await this.of(reader);
  }

  async #load(reader: Reader): Promise<PositionsOfReader> {
    const forgottenTo = await this.#forgotten.upTo(reader.accountId);
    const positions = await loadPositions(this.#readers, reader);
    return forgottenTo === 0 ? positions : withoutForgotten(this.#readers, reader, positions, forgottenTo);
  }

  /** Returns the position if it is cached; undefined also if it would have to be loaded. */
  async known(reader: Reader, channel: string): Promise<Position | undefined> {
    return (await this.#cache.known(keyOf(reader)))?.get(channel);
  }
}

const keyOf = ({ accountId, clientId, sessionId }: Reader): string => JSON.stringify([accountId, clientId, sessionId]);

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
  acknowledged_row: number | string | null;
  acknowledged_entry_id: string | null;
  gap_row: number | string | null;
}

/** Loads all positions with one statement, so that the numbers are of the same moment. */
async function loadPositions(
  database: Database,
  { accountId, clientId, sessionId }: Reader,
): Promise<PositionsOfReader> {
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
  const rows: PositionRow[] = await query
    .where('counts.account_id', accountId)
    .select(
      ...['counts.channel', 'counts.stored', 'counts.gone'],
      ...['cursors.passed', 'cursors.own_passed', 'cursors.acknowledged_row', 'cursors.gap_row'],
      'cursors.acknowledged_entry_id',
      ...['named.stored as named_stored', 'named.gone as named_gone'],
      ...['unnamed.stored as unnamed_stored', 'unnamed.gone as unnamed_gone'],
    );
  return new Map(rows.map((row) => [row.channel, positionOf(row)]));
}

/**
 * Corrects the positions while entries are being deleted: the running numbers include those until they are removed. So
 * the entries after them are counted: they are few.
 */
async function withoutForgotten(
  database: Database,
  reader: Reader,
  positions: PositionsOfReader,
  forgottenTo: number,
): Promise<PositionsOfReader> {
  const left = new Map<string, Position>();
  for (const [channel, position] of positions) {
    if (position.unreadCount === 0) left.set(channel, position);
    else {
      const [counted] = await unreadEntries(database, reader, channel)
        .where('entries.row', '>', Math.max(position.acknowledgedRow, forgottenTo))
        .count<{ entries: number | string }[]>({ entries: '*' });
      const unreadCount = Number(counted?.entries);
      left.set(channel, { ...position, unreadCount, hasGap: position.hasGap || unreadCount < position.unreadCount });
    }
  }
  return left;
}

function positionOf(row: PositionRow): Position {
  const own = sumOf(
    { stored: Number(row.named_stored), gone: Number(row.named_gone) },
    { stored: Number(row.unnamed_stored), gone: Number(row.unnamed_gone) },
  );
  const cursor = row.passed === null ? undefined : { passed: Number(row.passed), ownPassed: Number(row.own_passed) };
  const entries = { stored: Number(row.stored), gone: Number(row.gone) };
  return {
    unreadCount: unreadCount({ entries, own, cursor }),
    lastAcknowledgedEntryId: row.acknowledged_entry_id,
    acknowledgedRow: Number(row.acknowledged_row),
    isBegun: cursor !== undefined,
    hasGap: Number(row.gap_row) > Number(row.acknowledged_row),
  };
}
