import type { Knex } from 'knex';
import { EXIT_CONFIG, onOneLine, StartError, systemCodeOf } from '../../../kernel/errors.ts';
import type { Claim } from '../../ports/claims.ts';
import type { Seal } from '../../ports/seal.ts';
import type { DatabaseServer } from '../connect/server.ts';
import { explained } from '../database.ts';
import { migrateTo, pendingMigrations } from '../migrate.ts';
import { continueNumbers, lastNumbers } from '../move/numbers.ts';
import { insertRows, isSame, type SteppedTable, stepsOf, sumOf } from '../move/rows.ts';
import { type Survey, surveyOf } from '../move/survey.ts';
import { strangerAmong, tableNames, tablesToMove } from '../move/tables.ts';
import { refusedPlace } from './draft.ts';
import type { LongWork } from './report.ts';

/** Interval of liveness checks of the server; below the 30 s after which a pool closes idle connections. */
const WATCH_MS = 5_000;

/** Rights that a connection needs while it is made, such as those of the account that the server knows. */
export type WithRights = <T>(connect: () => Promise<T>) => Promise<T>;

/** A database on a server as it is at one moment, for reading only. */
export interface Moment {
  server: DatabaseServer;
  database: Knex;
  close(): Promise<void>;
}

/** Opens a snapshot of a database on a server for all later queries, while others go on writing. @throws StartError */
export function openMoment(server: DatabaseServer, withRights: WithRights): Promise<Moment> {
  return explained(server, () =>
    withRights(async () => {
      const watch = watched(server);
      const connections = server.connect('migrate', watch.claim);
      try {
        const refusal = await server.check?.(connections);
        if (refusal !== undefined)
          throw new StartError(`${server.name}: ${refusal.message}`, { exitStatus: EXIT_CONFIG });
        const database = await connections.transaction(undefined, {
          isolationLevel: 'repeatable read',
          readOnly: true,
        });
        // Connects while the rights last.
        await watch.begin();
        // The snapshot is taken by the first query.
        await requireWhole(server, database);
        return {
          server,
          database,
          close: async () => {
            // The connection is closed with the pool in any case.
            await database.rollback().catch(() => undefined);
            await connections.destroy();
            await watch.end();
          },
        };
      } catch (error) {
        await connections.destroy();
        await watch.end();
        throw error;
      }
    }),
  );
}

/**
 * Checks at an interval whether a server answers: statements over a whole table have no deadline of their own. When it
 * does not answer, the connections under this claim end.
 */
function watched(server: DatabaseServer): { claim: Claim; begin(): Promise<void>; end(): Promise<void> } {
  const connection = server.connect('serve');
  const doubted: (() => void)[] = [];
  let isSilent = false;
  let looking: NodeJS.Timeout | undefined;
  const look = (): void => {
    // The first failure is the one that counts: the copy is in doubt from then on.
    connection.raw('SELECT 1').catch(() => {
      if (isSilent) return;
      isSilent = true;
      for (const each of doubted) each();
    });
  };
  return {
    claim: {
      isTrusted: () => !isSilent,
      onDoubt: (listener) => void doubted.push(listener),
      onLost: () => undefined,
      release: async () => undefined,
    },
    begin: async () => {
      await connection.raw('SELECT 1');
      looking = setInterval(look, WATCH_MS);
    },
    end: async () => {
      clearInterval(looking);
      await connection.destroy();
    },
  };
}

async function requireWhole(server: DatabaseServer, database: Knex): Promise<void> {
  if (!(await database.schema.hasTable('knex_migrations'))) {
    throw new StartError(`${server.name}: there is no database of the connector yet: its first start makes it`, {
      exitStatus: EXIT_CONFIG,
    });
  }
  await pendingMigrations(database);
}

/** Copies all rows of a snapshot into an empty file of SQLite, which then has the same schema, and compares them. */
export async function copyMoment({ server, database }: Moment, copy: Knex, work: LongWork): Promise<void> {
  const done: string[] = await explained(server, () => database('knex_migrations').orderBy('id').pluck('name'));
  const tables = await tablesToMove((empty) => migrateTo(empty, done));
  const stranger = await explained(server, async () => strangerAmong(await tableNames(database), tables));
  if (stranger !== undefined) work.say(onOneLine(`not in it: table ${stranger}, which is not one of the connector’s`));
  const survey = await explained(server, () =>
    surveyOf(database, tables, {
      // The copy is checked later for whether the keys open it.
      seal: NO_SEAL,
      counted: (rows) => work.begin('read', rows),
      seen: (_, rows) => work.advance(rows),
    }),
  );
  const [problem] = survey.problems;
  if (problem !== undefined) throw new StartError(onOneLine(`${server.name}: ${problem}`), { exitStatus: EXIT_CONFIG });
  await migrateTo(copy, done);
  work.begin('copied', rowsOf(survey));
  for (const table of survey.tables) await copyTable({ server, database }, copy, table, work);
  const last = await explained(server, () => lastNumbers(database, survey.tables));
  await copy.transaction((transaction) => continueNumbers(transaction, survey.tables, last));
  work.begin('compared', rowsOf(survey));
  for (const table of survey.tables) {
    const there = await sumOf(copy, table, (rows) => work.advance(rows));
    if (!isSame(there, survey.sums.get(table.name))) throw new Error(`table ${table.name} is not what was copied`);
  }
}

async function copyTable(
  { server, database }: Pick<Moment, 'server' | 'database'>,
  copy: Knex,
  table: SteppedTable,
  work: LongWork,
): Promise<void> {
  const steps = stepsOf(database, table)[Symbol.asyncIterator]();
  for (;;) {
    const { value: rows, done } = await explained(server, () => steps.next());
    if (done === true) return;
    await copy.transaction((transaction) => insertRows(transaction, table, rows));
    work.advance(rows.length);
  }
}

const rowsOf = ({ sums }: Survey): number => [...sums.values()].reduce((sum, { rows }) => sum + rows, 0);

const NO_SEAL: Seal = { close: () => '', open: (sealed) => sealed, renew: () => undefined };

/** Turns an error of the copy's file into one line about the place of the backup. */
export const refusedRows = (place: string, error: unknown): unknown =>
  systemCodeOf(error)?.startsWith('SQLITE_') === true ? refusedPlace(place, error) : error;
