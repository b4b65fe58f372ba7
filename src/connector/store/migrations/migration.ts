import type { Knex } from 'knex';

/** One step forward; there are no steps back. A released step never changes. */
export interface Migration {
  /**
   * Number and subject. It ends with `+additive` if a program that does not know the step may go on beside it and after
   * it: all that it stores and reads means the same as before, and each statement takes less than a second. Others refuse
   * earlier versions.
   */
  name: string;
  up(database: Knex): Promise<void>;
}
