import type { Knex } from 'knex';

/** One step forward; there are no steps back. A released step never changes. */
export interface Migration {
  name: string;
  up(database: Knex): Promise<void>;
}
