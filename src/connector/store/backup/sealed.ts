import type { Knex } from 'knex';
import { EXIT_CONFIG, StartError } from '../../../kernel/errors.ts';
import type { Seal } from '../../ports/seal.ts';
import { type InstallationClaim, requireOwnInstallation, WrongInstallation } from '../installation.ts';
import { SEALED_COLUMNS } from '../sealed-columns.ts';

/** Rows that are tried before other tasks get a turn. */
const ROWS_AT_ONCE = 500;

/** Error: the keys do not open the encrypted texts. */
export class WrongKeys extends Error {}

/**
 * Tries the keys on everything that is encrypted in a file of SQLite. Returns how many texts they do not open: texts
 * that were unreadable before, too.
 * @throws WrongInstallation if it belongs to other keys or another address; WrongKeys if the keys open no text of one
 * kind
 */
export async function requireReadable(database: Knex, claim: InstallationClaim): Promise<number> {
  await requireOwnInstallation(database, claim);
  let unread = 0;
  for (const sealed of SEALED_COLUMNS) {
    if (!(await database.schema.hasTable(sealed.table))) continue;
    if (!(await database.schema.hasColumn(sealed.table, sealed.column))) continue;
    const { opened, unopened } = await tried(database, sealed, claim);
    if (unopened > 0 && opened === 0) {
      throw new WrongKeys(`${claim.keysAt} opens nothing of what is encrypted in table ${sealed.table}`);
    }
    unread += unopened;
  }
  return unread;
}

type Sealed = (typeof SEALED_COLUMNS)[number];

async function tried(
  database: Knex,
  sealed: Sealed,
  { seal }: InstallationClaim,
): Promise<{ opened: number; unopened: number }> {
  const { table, column, keys } = sealed;
  const counts = { opened: 0, unopened: 0 };
  for (let after = 0; ; ) {
    const rows: (Record<string, string> & { row_number: number })[] = await database(table)
      .select(database.raw('_rowid_ AS row_number'), ...keys, column)
      .whereNot(column, '')
      .whereRaw('_rowid_ > ?', [after])
      .orderByRaw('_rowid_')
      .limit(ROWS_AT_ONCE);
    const last = rows.at(-1);
    if (last === undefined) return counts;
    after = last.row_number;
    for (const row of rows) counts[isReadable(sealed, row, seal) ? 'opened' : 'unopened'] += 1;
  }
}

function isReadable(
  { column, placeOf, isOpened }: Sealed,
  row: Record<string, string>,
  seal: Seal | undefined,
): boolean {
  if (seal === undefined) return false;
  const [text, place] = [row[column] ?? '', placeOf(row)];
  if (isOpened !== undefined) return isOpened(seal, text, place);
  try {
    seal.open(text, place);
    return true;
  } catch {
    // None of the keys opens it.
    return false;
  }
}

/** Keys or an address that do not belong to a backup, in one line. @param whose names the backup */
export function explainedKeys(whose: string, error: unknown): unknown {
  if (!(error instanceof WrongInstallation || error instanceof WrongKeys)) return error;
  return new StartError(`${whose}: ${error.message}`, { exitStatus: EXIT_CONFIG });
}
