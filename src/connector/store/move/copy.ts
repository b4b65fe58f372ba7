import { EXIT_CONFIG, messageOf, onOneLine, StartError, systemCodeOf } from '../../../kernel/errors.ts';
import type { DatabaseServer } from '../connect/server.ts';
import { explained } from '../database.ts';
import type { Ends } from './ends.ts';
import { noteCopied, type Progress } from './progress.ts';
import { insertRows, keyOf, type Row, type SteppedTable, stepsOf } from './rows.ts';

const ANOTHER_MOVES = 'another process uses it meanwhile: end that one, then run this again';

/** Copies the remaining rows of a table; each transaction stores one step and its progress. */
export async function copyTable(
  { source, target }: Ends,
  table: SteppedTable,
  progress: Progress | undefined,
  seen: (rows: number) => void,
): Promise<void> {
  if (progress === undefined) throw new Error(`table ${table.name} has no progress`);
  seen(progress.copied);
  const steps = stepsOf(source.database, table, progress.after)[Symbol.asyncIterator]();
  for (;;) {
    const { value: rows, done } = await explained(source.server, () => steps.next());
    if (done === true) return;
    if (target.isLost()) throw new StartError(`${target.server.name}: ${ANOTHER_MOVES}`);
    await explained(target.server, () => copyStep(target, table, progress, rows));
    progress.copied += rows.length;
    seen(rows.length);
  }
}

async function copyStep(
  { server, database }: Ends['target'],
  table: SteppedTable,
  progress: Progress,
  rows: readonly Row[],
): Promise<void> {
  const last = rows.at(-1);
  if (last === undefined) return;
  await database.transaction(async (transaction) => {
    const noted = await noteCopied(transaction, table, progress, { rows: rows.length, lastKey: keyOf(table, last) });
    if (!noted) throw new StartError(`${server.name}: ${ANOTHER_MOVES}`);
    await insertRows(transaction, table, rows).catch(explainedBy(server, table));
  });
}

/**
 * Codes of errors about a value, which occur again each time: PostgreSQL's of data, constraints and limits, and
 * SQLite's.
 */
const OF_VALUE = /^(?:(?:22|23|54)[0-9A-Z]{3}|SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG).*)$/;
/** Codes of errors whose text contains the value itself. */
const SHOWS_VALUE = /^22P02$/;

/** Explains an error without its statement, which the library puts before it and which names every column. */
const explainedBy =
  ({ name: server }: DatabaseServer, { name }: SteppedTable) =>
  (error: unknown): never => {
    const [message, code] = [messageOf(error), systemCodeOf(error)];
    const at = message.lastIndexOf(' - ');
    const short = at < 0 ? message : message.slice(at + 3);
    if (OF_VALUE.test(code ?? '')) {
      const why = SHOWS_VALUE.test(code ?? '') ? `code ${code}` : short;
      throw new StartError(
        onOneLine(
          `${server}: table ${name}: a value would be lost, because it is refused there (${why}): see which row of the old database has it, and correct it there`,
        ),
        { exitStatus: EXIT_CONFIG },
      );
    }
    throw Object.assign(new Error(`table ${name}: ${short}`, { cause: error }), { code });
  };
