import { allowDatabaseTime } from '../database-time.ts';
import type { SpaceStore } from '../ports/space-store.ts';
import type { Database } from './database.ts';
import { dialectOf } from './dialect.ts';

/** Pages that one step moves and gives back, and pages of the search index that one step rewrites. */
const STEP_PAGES = 128;
/** Most rounds of one pass: texts that are deleted while the index is rewritten wait for the next round or pass. */
const INDEX_ROUNDS_MAX = 3;
/** Most changed rows of a merge that has no work left. */
const IDLE_CHANGES_MAX = 1;
/** Longest wait for readers, during which all writers wait. */
const READERS_WAIT_MS = 300;
/** First row number of the index's tombstones: deleted blocks whose words are still stored. */
const FIRST_TOMBSTONE = String((65_537n << 37n) as bigint);

/**
 * Creates the store that gives room back: SQLite keeps freed pages in its file; PostgreSQL reuses the room itself
 * (autovacuum).
 */
export function createSpaceStore(database: Database): SpaceStore {
  const isSqlite = dialectOf(database) === 'sqlite';
  return {
    giveBack: async function* ({ index }) {
      if (!isSqlite) return;
      if (index) yield* rewriteIndex(database);
      yield* releasePages(database);
      await emptyLog(database);
    },
  };
}

/** Removes the words of deleted blocks: the full-text table only marks them until its segments are merged. */
async function* rewriteIndex(database: Database): AsyncGenerator<void> {
  for (let round = 0; round < INDEX_ROUNDS_MAX && (await hasDeletedWords(database)); round += 1) {
    // A negative number selects all segments for one merge, positive ones continue it.
    for (let pages = -STEP_PAGES; await merge(database, pages); pages = STEP_PAGES) yield;
  }
}

async function hasDeletedWords(database: Database): Promise<boolean> {
  const found: unknown[] = await database.raw('SELECT 1 FROM text_grams_data WHERE id >= ? LIMIT 1', [FIRST_TOMBSTONE]);
  return found.length > 0;
}

/** Returns whether more work is left. */
function merge(database: Database, pages: number): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const before = await totalChanges(transaction);
    await transaction.raw("INSERT INTO text_grams (text_grams, rank) VALUES ('merge', ?)", [pages]);
    return (await totalChanges(transaction)) - before > IDLE_CHANGES_MAX;
  });
}

async function totalChanges(database: Database): Promise<number> {
  const [row]: { changes: number }[] = await database.raw('SELECT total_changes() AS changes');
  return row?.changes ?? 0;
}

/**
 * Gives free pages back. Has no effect in a file that is not converted yet: its pages are overwritten and used again.
 */
async function* releasePages(database: Database): AsyncGenerator<void> {
  for (let free = await freePages(database); free > 0; ) {
    await database.raw(`PRAGMA incremental_vacuum(${STEP_PAGES})`);
    const left = await freePages(database);
    if (left >= free) return;
    free = left;
    yield;
  }
}

async function freePages(database: Database): Promise<number> {
  const [row]: { freelist_count: number }[] = await database.raw('PRAGMA freelist_count');
  return row?.freelist_count ?? 0;
}

/** Truncates the write-ahead log, which holds old versions of pages. */
async function emptyLog(database: Database): Promise<void> {
  // First without blocking others, so that the blocking step is short.
  await database.raw('PRAGMA wal_checkpoint(PASSIVE)');
  // The deadline bounds the wait for readers, not for the connection.
  const connection: unknown = await database.client.acquireConnection();
  try {
    const row = await withinReadersWait(() => database.raw('PRAGMA wal_checkpoint(TRUNCATE)').connection(connection));
    if (row?.busy === 1) throw new Error('the database is read at this moment, so its write-ahead log stays');
  } finally {
    await database.client.releaseConnection(connection);
  }
}

async function withinReadersWait(
  checkpoint: () => PromiseLike<{ busy: number }[]>,
): Promise<{ busy: number } | undefined> {
  const { promise, resolve } = Promise.withResolvers<{ busy: number }[]>();
  const end = allowDatabaseTime(READERS_WAIT_MS, () => resolve(checkpoint().then((rows) => rows)));
  try {
    return (await promise)[0];
  } finally {
    end();
  }
}
