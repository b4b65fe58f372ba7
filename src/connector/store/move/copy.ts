import { messageOf, StartError, systemCodeOf } from '../../../kernel/errors.ts';
import { explained } from '../database.ts';
import type { Ends } from './ends.ts';
import { noteCopied, type Progress } from './progress.ts';
import { insertRows, keyOf, type Row, type SteppedTable, stepsOf } from './rows.ts';

const ANOTHER_MOVES = 'another process uses it meanwhile: end that one, then run this again';

/** Copies the rows of a table behind those that were copied before; each transaction stores one step and its progress. */
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
    await insertRows(transaction, table, rows).catch(withoutStatement(table));
  });
}

/** The library puts the statement before its error, which names every column. */
const withoutStatement =
  ({ name }: SteppedTable) =>
  (error: unknown): never => {
    const message = messageOf(error);
    const at = message.lastIndexOf(' - ');
    const short = new Error(`table ${name}: ${at < 0 ? message : message.slice(at + 3)}`, { cause: error });
    throw Object.assign(short, { code: systemCodeOf(error) });
  };
