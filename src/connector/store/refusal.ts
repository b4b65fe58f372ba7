/** Errors of SQLite and PostgreSQL for a row that they will never accept; SQLSTATE classes 22, 23 and 54. */
const SQLITE_REFUSALS: ReadonlySet<string> = new Set([
  'SQLITE_CONSTRAINT',
  'SQLITE_MISMATCH',
  'SQLITE_RANGE',
  'SQLITE_TOOBIG',
]);
const POSTGRES_REFUSALS = /^(?:22|23|54)[0-9A-Z]{3}$/;

/** Whether the database refused the data itself, so that trying again is useless. */
export function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return SQLITE_REFUSALS.has(code) || POSTGRES_REFUSALS.test(code);
}
