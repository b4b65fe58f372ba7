import { allowDatabaseTime } from '../database-time.ts';
import type { SpaceStore } from '../ports/space.ts';
import type { Database } from './database.ts';
import { dialectOf } from './dialect.ts';

/** Pages that one step moves and gives back, and pages of the search index that one step writes anew. */
const STEP_PAGES = 128;
/** Texts that are deleted while the index is rewritten are left to the next round, and after these rounds to the next pass. */
const INDEX_ROUNDS_MAX = 3;
/** A merge that has nothing left to do changes one row at most. */
const IDLE_CHANGES_MAX = 1;
/** Who reads meanwhile is waited for this long, while all writers wait. */
const READERS_WAIT_MS = 300;
/** Rows of the index from this number on say which of its blocks were deleted, but whose words are still there. */
const FIRST_TOMBSTONE = String((65_537n << 37n) as bigint);

/** SQLite keeps freed pages in its file; PostgreSQL reuses the room by itself (autovacuum). */
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

/** The full-text table only notes which blocks are deleted; their words go when its segments are merged. */
async function* rewriteIndex(database: Database): AsyncGenerator<void> {
  for (let round = 0; round < INDEX_ROUNDS_MAX && (await hasDeletedWords(database)); round += 1) {
    // A negative number chooses all segments for one merge, positive ones go on with it.
    for (let pages = -STEP_PAGES; await merge(database, pages); pages = STEP_PAGES) yield;
  }
}

async function hasDeletedWords(database: Database): Promise<boolean> {
  const found: unknown[] = await database.raw('SELECT 1 FROM text_grams_data WHERE id >= ? LIMIT 1', [FIRST_TOMBSTONE]);
  return found.length > 0;
}

/** Whether there is more to do. */
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

/** Does nothing in a file that is not converted yet: there the pages are overwritten, and used again. */
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

/** Pages as they were before are in the write-ahead log until it is cut off. */
async function emptyLog(database: Database): Promise<void> {
  // Without making others wait, so that little is left for the moment in which they do.
  await database.raw('PRAGMA wal_checkpoint(PASSIVE)');
  // The time is for other readers only, not for the turn of the connection.
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
