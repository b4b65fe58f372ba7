import type { Knex } from 'knex';
import { z } from 'zod';
import { rowsOf } from '../dialect.ts';
import { databaseClock } from './database-clock.ts';
import { DEAD_AFTER_MS } from './observation.ts';
import { BEAT_DEADLINE_MS, type OwnRow } from './process-rows.ts';

/** Most processes that are looked at. One behind them that lacks the key in use notices that by its own look. */
const SEEN_MAX = 64;
/** The settings that decide who may come in. */
const GRANTS = 'grants';

const inTime = { query_timeout: BEAT_DEADLINE_MS };

/** Fingerprints of the keys of a process. */
const StatedKeys = z.object({
  /** Keys that open what is encrypted. */
  opens: z.array(z.string()).readonly(),
  /** The one of them that encrypts. */
  closesWith: z.string(),
  /** Keys by which the process accepts cookies. */
  accepts: z.array(z.string()).readonly(),
});

const Stated = z.object({
  /** Path of an option → hash of its value, for the options that all processes should have in common. */
  settings: z.record(z.string(), z.string()).readonly().optional(),
  /** Undefined before the process has read its keys. */
  keys: StatedKeys.optional(),
});

/** Facts that a process states about itself, as JSON in its row. */
export type Stated = z.infer<typeof Stated>;

/** Another process, and what it states. */
export interface OtherStated {
  processId: string;
  /** The process and its machine, for people. */
  name: string;
  /** Undefined for an earlier version. */
  stated: Stated | undefined;
  /** Whether its heartbeat is old. It counts until its connections are ended, because it may wake and store something. */
  isSilent: boolean;
}

/** The settings that count for all processes. */
export interface DecidedSettings {
  /** Changes with each decision. */
  stamp: string;
  /** Process that has decided, for people. */
  by: string;
  /** JSON. */
  content: string;
}

export interface AgreementSeen {
  /** Other processes that live, or may wake and store something, from the one that has started first. */
  others: OtherStated[];
  /** Encrypted constant of the database; undefined before the first start. */
  check: string | undefined;
  /** Undefined before the first decision. */
  decided: DecidedSettings | undefined;
}

interface Row {
  process_id: string;
  name: string;
  agreement: string | null;
  stamp: string | null;
  check_sealed: string | null;
  is_fresh: boolean | number;
}

/** Whether the schema has what is needed; an earlier version may have the database. */
export const hasAgreement = (database: Knex): Promise<boolean> => database.schema.hasColumn('processes', 'agreement');

/**
 * Reads what others state and what is decided, after it has stored what this process states, if that is not there yet.
 * @param known stamp of the decision whose content this process has
 */
export async function readAgreement(
  database: Knex,
  { processId }: OwnRow,
  stated: Stated | undefined,
  known: DecidedSettings | undefined,
): Promise<AgreementSeen> {
  const now = databaseClock(database);
  const found: unknown = await database
    .raw(
      `SELECT process_id, name, agreement,
         (SELECT decided_at || ' ' || process_id FROM decided_settings WHERE name = ?) AS stamp,
         (SELECT check_sealed FROM installation LIMIT 1) AS check_sealed,
         abs(seen_at - ${now}) < ${DEAD_AFTER_MS} AS is_fresh
       FROM processes
       WHERE process_id = ? OR abs(seen_at - ${now}) < ${DEAD_AFTER_MS} OR reads_since IS NOT NULL
       ORDER BY process_id <> ?, started_at, process_id LIMIT ${SEEN_MAX}`,
      [GRANTS, processId, processId],
    )
    .options(inTime);
  const rows = rowsOf<Row>(found);
  const own = rows.find((row) => row.process_id === processId);
  const text = stated === undefined ? undefined : JSON.stringify(stated);
  if (own !== undefined && text !== undefined && own.agreement !== text) {
    await database('processes').where('process_id', processId).update({ agreement: text }).options(inTime);
  }
  const stamp = rows[0]?.stamp ?? undefined;
  return {
    others: rows
      .filter((row) => row !== own)
      .map((row) => ({
        processId: row.process_id,
        name: row.name,
        stated: statedIn(row.agreement),
        isSilent: !row.is_fresh,
      })),
    check: rows[0]?.check_sealed ?? undefined,
    decided: stamp === undefined || stamp === known?.stamp ? known : await readDecided(database),
  };
}

/**
 * Parses what a process states; undefined for an earlier version, and for a damaged text: a process that lives replaces
 * that with its next look.
 */
export function statedIn(text: string | null): Stated | undefined {
  if (text === null) return undefined;
  try {
    return Stated.safeParse(JSON.parse(text)).data;
  } catch {
    // A damaged statement counts as none: its process writes it anew.
    return undefined;
  }
}

async function readDecided(database: Knex): Promise<DecidedSettings | undefined> {
  const row: { process_id: string; process_name: string; decided_at: number | string; content: string } | undefined =
    await database('decided_settings').where('name', GRANTS).first().options(inTime);
  if (row === undefined) return undefined;
  const { process_id: processId, process_name: by, decided_at: decidedAt, content } = row;
  return { stamp: `${decidedAt} ${processId}`, by, content };
}

/**
 * Stores the settings of this process as those that count for all, unless a process has decided that started later.
 * A decision that is dated ahead is from before the database's clock was set back.
 * @param isReloaded the settings are in force since now, else since the start of this process
 * @returns false if this process has no row, as after it was taken for dead: then nothing is stored
 */
export async function decideSettings(
  database: Knex,
  { processId, name }: OwnRow,
  content: string,
  isReloaded: boolean,
): Promise<boolean> {
  const now = databaseClock(database);
  const since = isReloaded ? now : 'started_at';
  // Where the other decision counts, the row is stored as it is, so that each process with a row gets one back.
  const chosen = ['process_id', 'process_name', 'decided_at', 'content'].map(
    (column) =>
      `${column} = CASE WHEN decided_settings.decided_at < excluded.decided_at OR decided_settings.decided_at > ${now}
         THEN excluded.${column} ELSE decided_settings.${column} END`,
  );
  const stored: unknown = await database
    .raw(
      `INSERT INTO decided_settings (name, process_id, process_name, decided_at, content)
       SELECT ?, process_id, ?, ${since}, ? FROM processes WHERE process_id = ?
       ON CONFLICT (name) DO UPDATE SET ${chosen.join(', ')} RETURNING name`,
      [GRANTS, name, content, processId],
    )
    .options(inTime);
  return rowsOf(stored).length > 0;
}
