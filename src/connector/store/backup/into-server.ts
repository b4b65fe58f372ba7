import type { Knex } from 'knex';
import { EXIT_CONFIG, StartError } from '../../../kernel/errors.ts';
import type { ProvableClaim } from '../../ports/claims.ts';
import type { Seal } from '../../ports/seal.ts';
import type { DatabaseServer } from '../connect/server.ts';
import { sqliteServer } from '../connect/sqlite.ts';
import { explained } from '../database.ts';
import { noteGrowth } from '../dialect.ts';
import { migrate } from '../migrate.ts';
import { whileAnswering } from '../move/ends.ts';
import { continueNumbers, lastNumbers } from '../move/numbers.ts';
import { insertRows, isSame, type SteppedTable, stepsOf, sumOf } from '../move/rows.ts';
import { surveyOf } from '../move/survey.ts';
import { tablesToMove } from '../move/tables.ts';
import { type Content, contentOf } from './content.ts';
import type { LongWork } from './report.ts';

export interface IntoServer {
  server: DatabaseServer;
  claim: ProvableClaim;
  /** The file to copy from, with the schema of this version. */
  staged: string;
  seal: Seal;
  /** The schema that keeps the old tables. */
  aside: string;
  work: LongWork;
  /** Called before the commit. */
  completes(): void;
}

export function contentOnServer(server: DatabaseServer): Promise<Content> {
  return explained(server, async () => {
    const database = server.connect('migrate');
    try {
      const bad = await server.check?.(database);
      if (bad !== undefined) throw new StartError(`${server.name}: ${bad.message}`, { exitStatus: EXIT_CONFIG });
      return await contentOf(database);
    } finally {
      await database.destroy();
    }
  });
}

/**
 * Moves old tables aside and fills new ones, in one transaction: an interruption leaves the database as it was.
 * @returns whether old tables were kept
 */
export async function fillServer({
  server,
  claim,
  staged,
  seal,
  aside,
  work,
  completes,
}: IntoServer): Promise<boolean> {
  const [source, target] = [
    sqliteServer(staged).connectToTry?.() as Knex,
    server.connect('migrate', whileAnswering(claim)),
  ];
  try {
    const survey = await surveyOf(source, await tablesToMove(), {
      seal,
      counted: (rows) => work.begin('read', rows),
      seen: (_, rows) => work.advance(rows),
    });
    const [problem] = survey.problems;
    if (problem !== undefined)
      throw new StartError(`the backup can’t be put into PostgreSQL: ${problem}`, { exitStatus: EXIT_CONFIG });
    const total = [...survey.sums.values()].reduce((sum, { rows }) => sum + rows, 0);
    return await explained(server, () =>
      target.transaction(async (transaction) => {
        const { isKept, fence } = await clear(transaction, aside);
        await migrate(transaction);
        work.begin('copied', total);
        for (const table of survey.tables) await fill(source, transaction, table, work);
        work.begin('compared', total);
        for (const table of survey.tables) {
          const there = await sumOf(transaction, table, (rows) => work.advance(rows));
          if (!isSame(there, survey.sums.get(table.name)))
            throw new Error(`table ${table.name} is not what was copied`);
        }
        await continueNumbers(transaction, survey.tables, await lastNumbers(source, survey.tables));
        // The slot's fence increases: a process that was suspended meanwhile has an earlier number.
        await transaction('slots')
          .where('slot', 0)
          .update({ process_id: null, fence: fence + 1 });
        await noteGrowth(
          transaction,
          survey.tables.map(({ name }) => name),
        );
        await requireHeld(server, claim);
        completes();
        return isKept;
      }),
    );
  } finally {
    await source.destroy();
    await target.destroy();
  }
}

/** Moves the tables of an installation into a schema of their own, and drops tables without data. */
async function clear(transaction: Knex, aside: string): Promise<{ isKept: boolean; fence: number }> {
  const { tables, filled } = await contentOf(transaction);
  const fence = tables.includes('slots')
    ? Number((await transaction('slots').max({ fence: 'fence' }))[0]?.fence ?? 0)
    : 0;
  if (filled !== undefined) {
    await transaction.raw('CREATE SCHEMA ??', [aside]);
    for (const table of tables) await transaction.raw('ALTER TABLE ?? SET SCHEMA ??', [table, aside]);
  } else if (tables.length > 0) {
    await transaction.raw(`DROP TABLE ${tables.map(() => '??').join(', ')} CASCADE`, tables);
  }
  return { isKept: filled !== undefined, fence };
}

async function fill(source: Knex, transaction: Knex, table: SteppedTable, work: LongWork): Promise<void> {
  for await (const rows of stepsOf(source, table)) {
    await insertRows(transaction, table, rows);
    work.advance(rows.length);
  }
}

/** Proves the claim as the last query before the commit. */
async function requireHeld(server: DatabaseServer, claim: ProvableClaim): Promise<void> {
  if (await claim.wasHeld()) return;
  throw new StartError(
    `${server.name}: another process may have used it meanwhile: end every connector, and run this again; nothing was changed`,
  );
}
