import type { Migration } from './migration.ts';

/** Name that a person gives an agent, beside the agent's own name. */
export const namesForAgents: Migration = {
  name: '0034-names-for-agents',
  up: async (database) => {
    await database.schema.alterTable('consents', (table) => {
      table.text('given_name');
    });
  },
};
