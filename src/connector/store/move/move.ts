import type { Knex } from 'knex';
import type { Clock } from '../../../kernel/clock.ts';
import { EXIT_CONFIG, StartError } from '../../../kernel/errors.ts';
import type { Seal } from '../../ports/seal.ts';
import type { DatabaseChoice } from '../connect/index.ts';
import { explained } from '../database.ts';
import { dialectOf, noteGrowth } from '../dialect.ts';
import { writeHolder } from '../holder.ts';
import { lackingMigrations, migrate, NewerDatabase } from '../migrate.ts';
import { copyTable } from './copy.ts';
import { type Ends, lookingAtBoth, refusal, withBoth } from './ends.ts';
import { continueNumbers, lastNumbers } from './numbers.ts';
import { beginProgress, endProgress, type Progress, readProgress } from './progress.ts';
import { isSame, type SteppedTable, type Sum, sumOf } from './rows.ts';
import { type Survey, surveyOf } from './survey.ts';
import { differenceOf, isLeftOut, strangerAmong, type Table, tableNames, tablesToMove } from './tables.ts';

/** Most problems that are shown; for the others only their number is shown. */
const PROBLEMS_SHOWN = 10;

/** The three times that a move goes through all rows. */
export type Phase = 'read' | 'copied' | 'compared';

/** Progress of a move, as a person sees it. */
export interface MoveReport {
  /** Prints one line. */
  say(line: string): void;
  /**
   * Reports that `rows` rows of `table` are done. Each phase begins with `rows` 0, and with the number of all rows in
   * `total`.
   */
  advance(step: { phase: Phase; table: string; rows: number; total?: number }): void;
}

export interface MoveOptions {
  /** The source, which stays as it is. */
  from: DatabaseChoice;
  to: DatabaseChoice;
  /** Opens the encrypted texts of the source. */
  seal: Seal;
  clock: Clock;
  /** Whether to only inspect both databases and report what the move would do. */
  isDryRun: boolean;
  report: MoveReport;
}

/**
 * Moves an installation into an empty database of the other kind, or resumes a move that was interrupted.
 * @throws StartError, one line, if it fails
 */
export async function moveDatabase({ from, to, seal, clock, isDryRun, report }: MoveOptions): Promise<void> {
  const tables = await tablesToMove();
  const parts = { tables, seal, report };
  if (!isDryRun) return withBoth({ from, to }, (ends) => move({ ...parts, ends }, clock));
  return lookingAtBoth({ from, to }, (ends, requireTargetWritable) => look({ ...parts, ends }, requireTargetWritable));
}

interface MoveParts {
  ends: Ends;
  tables: readonly Table[];
  seal: Seal;
  report: MoveReport;
}

/** State of a target before a move. */
type TargetState =
  | { kind: 'empty' }
  | { kind: 'begun'; progress: Map<string, Progress> }
  /** This table has rows, and no move is under way. */
  | { kind: 'filled'; table: string };

async function look(parts: MoveParts, requireTargetWritable: () => Promise<void>): Promise<void> {
  const { ends, report } = parts;
  const { state, survey } = await surveyed(parts);
  if (state.kind === 'filled') return requireMoved(parts, survey, state.table);
  if (state.kind === 'begun') requireSameSource(ends, state.progress, survey);
  await requireTargetWritable();
  const copied = state.kind === 'begun' ? sumUp([...state.progress.values()].map((each) => each.copied)) : 0;
  report.say(
    `dry run: nothing was changed; the move would ${copied > 0 ? `resume after ${copied} rows and ` : ''}copy ${rowsOf(survey) - copied} rows`,
  );
}

async function move(parts: MoveParts, clock: Clock): Promise<void> {
  const { ends, report } = parts;
  const { state, survey } = await surveyed(parts);
  if (state.kind === 'filled') return requireMoved(parts, survey, state.table);
  const progress = await begun(ends, state, survey, clock);
  if (state.kind === 'begun') report.say('a move was begun before: it is resumed');
  try {
    report.advance({ phase: 'copied', table: '', rows: 0, total: rowsOf(survey) });
    for (const table of survey.tables) {
      await copyTable(ends, table, progress.get(table.name), (rows) =>
        report.advance({ phase: 'copied', table: table.name, rows }),
      );
    }
    // The comparison may take as long again.
    await requireUnchanged(ends);
    await compare(parts, survey);
    await finish(ends, survey.tables);
  } catch (error) {
    const isLasting = error instanceof StartError && error.exitStatus === EXIT_CONFIG;
    const remedy = isLasting ? '' : '; the same command resumes the move';
    report.say(`not finished: the old database is as it was${remedy}`);
    throw error;
  }
  report.say(`moved: ${rowsOf(survey)} rows of ${survey.tables.length} tables; the old database is as it was`);
}

const sumUp = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
const rowsOf = ({ sums }: Survey): number => sumUp([...sums.values()].map(({ rows }) => rows));

/** Inspects both databases without changing them. @throws StartError if they can't be moved */
async function surveyed(parts: MoveParts): Promise<{ state: TargetState; survey: Survey }> {
  const { ends, tables, seal, report } = parts;
  const { source, target } = ends;
  report.say(`from ${source.server.name}`);
  report.say(`to ${target.server.name}`);
  await requireNewest(ends, tables);
  const state = await explained(target.server, async () => {
    const bad = await target.server.check?.(target.database);
    if (bad !== undefined) throw refusal(target.server, bad.message);
    return stateOf(ends, tables);
  });
  const survey = await explained(source.server, () =>
    surveyOf(source.database, tables, {
      seal,
      counted: (total) => report.advance({ phase: 'read', table: '', rows: 0, total }),
      seen: (table, rows) => report.advance({ phase: 'read', table, rows }),
    }),
  );
  requireMovable(parts, survey);
  report.say(
    `read: ${rowsOf(survey)} rows of ${tables.length} tables; all can be moved, and the keys open what is encrypted`,
  );
  return { state, survey };
}

/** Requires that the source has the schema of this version: then only rows have to move. */
async function requireNewest({ source: { server, database } }: Ends, tables: readonly Table[]): Promise<void> {
  await explained(server, async () => {
    if (await isStandby(database)) {
      throw refusal(
        server,
        'is a standby, which does not know whether a connector uses the primary server: name the primary server',
      );
    }
    if (!(await database.schema.hasTable('knex_migrations'))) {
      throw refusal(server, 'is not a database of the connector: name the one that is to move');
    }
    const progress = await readProgress(database);
    if (progress !== undefined)
      throw refusal(server, 'holds only a part of an installation: finish the move into it first');
    const [pending] = await lackingMigrations(database);
    if (pending !== undefined) {
      throw refusal(
        server,
        `an earlier version has made it, and it lacks ${pending}: run homeport-connector migrate with a configuration that names it, then move it`,
      );
    }
    const difference = await differenceOf(database, tables);
    if (difference !== undefined) throw refusal(server, difference);
  });
}

/**
 * Whether the database is a standby: it does not show the locks of its primary server, so a claim on it excludes no
 * process.
 */
async function isStandby(database: Knex): Promise<boolean> {
  if (dialectOf(database) === 'sqlite') return false;
  const { rows }: { rows: { is_standby: boolean }[] } = await database.raw('SELECT pg_is_in_recovery() AS is_standby');
  return rows[0]?.is_standby === true;
}

const remedyOf = ({ target }: Ends): string =>
  target.server.inspect === undefined
    ? 'make it anew (dropdb, createdb), and run this again'
    : 'name a file that does not exist yet, and run this again';

async function stateOf(ends: Ends, tables: readonly Table[]): Promise<TargetState> {
  const { server, database } = ends.target;
  const names = await tableNames(database);
  const stranger = strangerAmong(names, tables);
  if (stranger !== undefined) {
    throw refusal(server, `is not empty (table ${stranger} is not one of the connector’s): name an empty database`);
  }
  const progress = await readProgress(database);
  const pending = await lackingMigrations(database).catch((error: unknown) => {
    // A newer version has made the tables, whether empty or not.
    if (error instanceof NewerDatabase) throw refusal(server, `${error.message}; or ${remedyOf(ends)}`);
    throw error;
  });
  if (progress !== undefined) {
    if (pending.length === 0 && progress !== 'unknown') return { kind: 'begun', progress };
    throw refusal(server, `another version has begun to move a database into it: ${remedyOf(ends)}`);
  }
  for (const name of names.filter((each) => !isLeftOut(each))) {
    if ((await database(name).first(database.raw('1'))) === undefined) continue;
    if (pending.length === 0) return { kind: 'filled', table: name };
    throw notEmpty(ends, name);
  }
  return { kind: 'empty' };
}

const notEmpty = (ends: Ends, table: string): StartError =>
  refusal(ends.target.server, `is not empty (table ${table} has rows): name an empty database, or ${remedyOf(ends)}`);

/** @throws StartError if a value would be lost, or the keys do not fit */
function requireMovable({ ends: { source }, report }: MoveParts, { problems, sealed }: Survey): void {
  if (problems.length > 0) {
    const more = problems.length > PROBLEMS_SHOWN ? `; and ${problems.length - PROBLEMS_SHOWN} more` : '';
    throw refusal(source.server, `can’t be moved: ${problems.slice(0, PROBLEMS_SHOWN).join('; ')}${more}`);
  }
  for (const [table, { opened, unopened }] of sealed) {
    if (unopened === 0) continue;
    if (opened === 0) {
      throw refusal(
        source.server,
        `the configured keys do not open what is encrypted in it (table ${table}: ${unopened} of ${unopened}): keysFile, or keys.json in stateDirectory, must be those of this database`,
      );
    }
    report.say(
      `${table}: ${unopened} of ${opened + unopened} rows can’t be decrypted, as until now; they move as they are`,
    );
  }
}

/** Compares a target that has rows: a move whose end was not seen leaves the same rows there. */
async function requireMoved(parts: MoveParts, survey: Survey, filled: string): Promise<void> {
  const { ends, report } = parts;
  const { server, database } = ends.target;
  report.advance({ phase: 'compared', table: '', rows: 0, total: rowsOf(survey) });
  for (const table of survey.tables) {
    const there = await explained(server, () =>
      sumOf(database, table, (rows) => report.advance({ phase: 'compared', table: table.name, rows })),
    );
    if (!isSame(there, survey.sums.get(table.name))) throw notEmpty(ends, filled);
  }
  report.say('moved: it was moved before, and all rows are the same on both sides');
}

/** Creates the tables and the record of the progress, unless the move was begun before. */
async function begun(ends: Ends, state: TargetState, survey: Survey, clock: Clock): Promise<Map<string, Progress>> {
  const { server, database } = ends.target;
  if (state.kind === 'begun') return requireSameSource(ends, state.progress, survey);
  return explained(server, async () => {
    await unhurried(ends, async (patient) => {
      await migrate(patient);
      await writeHolder(patient, clock);
    });
    return beginProgress(database, survey.sums);
  });
}

/** Runs statements about the schema and the statistics, which may take longer than those of the service. */
async function unhurried(
  { target: { server, database, connectPatiently } }: Ends,
  work: (patient: Knex) => Promise<void>,
): Promise<void> {
  // A file has only one connection for writes.
  if (server.inspect !== undefined) return work(database);
  const patient = connectPatiently();
  try {
    await work(patient);
  } finally {
    await patient.destroy();
  }
}

function requireSameSource(ends: Ends, progress: Map<string, Progress>, { sums }: Survey): Map<string, Progress> {
  const different = [...sums].find(([table, sum]) => !isSame(progress.get(table)?.of, sum));
  if (different === undefined) return progress;
  throw refusal(
    ends.target.server,
    `holds a part of another database than ${ends.source.server.name}, or of an earlier state of it, or another version has begun the move (table ${different[0]} differs): ${remedyOf(ends)}`,
  );
}

/** Reads the whole target again. The source can't have changed: it is read from a snapshot. */
async function compare({ ends, report }: MoveParts, survey: Survey): Promise<void> {
  const { server, database } = ends.target;
  report.advance({ phase: 'compared', table: '', rows: 0, total: rowsOf(survey) });
  for (const table of survey.tables) {
    const here = survey.sums.get(table.name);
    const there: Sum = await explained(server, () =>
      sumOf(database, table, (rows) => report.advance({ phase: 'compared', table: table.name, rows })),
    );
    if (isSame(there, here)) continue;
    throw refusal(
      server,
      `table ${table.name} is not what was to be moved: expected ${here?.rows} rows with checksum ${here?.checksum}, received ${there.rows} with ${there.checksum}: ${remedyOf(ends)}`,
    );
  }
  report.say(
    `compared: ${survey.tables.length} tables have the same number of rows and the same checksum on both sides`,
  );
}

/** Finishes the move: sets the next row numbers, creates the statistics, and lets a connector start. */
async function finish(ends: Ends, tables: readonly SteppedTable[]): Promise<void> {
  const { source, target } = ends;
  const last = await explained(source.server, () => lastNumbers(source.database, tables));
  await explained(target.server, async () => {
    const names = tables.map(({ name }) => name);
    await unhurried(ends, (patient) => noteGrowth(patient, names));
    if (target.isLost())
      throw new StartError(`${target.server.name}: another process uses it: end that one, then run this again`);
    await target.database.transaction(async (transaction) => {
      await continueNumbers(transaction, tables, last);
      await endProgress(transaction);
      // Last check before the commit: from then on a connector may start on the target.
      await requireUnchanged(ends);
    });
  });
}

/** Refuses the move if another process may have written to the source: its rows would be missing from the snapshot. */
async function requireUnchanged({ source: { server, wasHeld } }: Ends): Promise<void> {
  if (await explained(server, wasHeld)) return;
  throw new StartError(
    `${server.name}: another process may have changed it while it moved: expected one connection to hold the lock that keeps others out from beginning to end, received a later one: end every connector that uses it, then run this again`,
  );
}
