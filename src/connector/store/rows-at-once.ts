/**
 * Rows of one INSERT. SQLite refuses more than 500 in knex's form, and each database bounds the number of variables.
 */
export const ROWS_AT_ONCE = 100;

/** Splits rows into groups that one INSERT takes. */
export function groupsOf<T>(rows: readonly T[]): T[][] {
  const count = Math.ceil(rows.length / ROWS_AT_ONCE);
  return Array.from({ length: count }, (_, at) => rows.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE));
}
