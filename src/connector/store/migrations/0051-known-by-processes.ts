import type { Migration } from './migration.ts';

/** Compared by processes before one of them changes what the others use. */
export const knownByProcesses: Migration = {
  name: '0051-known-by-processes+additive',
  up: async (database) => {
    await database.schema.alterTable('processes', (table) => {
      // Newest step that the program knows, of those that earlier versions can't ignore.
      table.text('schema');
    });
  },
};
