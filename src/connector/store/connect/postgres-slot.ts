import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { BEAT_DEADLINE_MS, type OwnRow } from '../hold/process-rows.ts';
import { createMembership, type MembershipServer } from '../hold/row-membership.ts';
import { SlotKeeper, type SlotKeeperOptions } from '../hold/slot-keeper.ts';
import { WHOLE_DATABASE } from './postgres-claim.ts';

/** Connections of a process that was ended are gone at once, unless the server's machine is overloaded. */
const EXPEL_DEADLINE_MS = 5_000;
const EXPEL_POLL_MS = 50;

/** What the connections of a process are called at the server. */
export const applicationName = (processId: string): string => `homeport-connector ${processId}`;

/**
 * This process among those that share a database on PostgreSQL.
 * @param connect opens a pool of one connection, and calls `ended` each time that one has ended
 */
export function joinPostgres(
  connect: (ended: () => void) => Knex,
  own: OwnRow,
  options: Omit<SlotKeeperOptions, 'membership'>,
): SlotKeeper {
  const session = connect(() => keeper.connectionEnded());
  const membership = createMembership(session, own, SERVER);
  const keeper = new SlotKeeper({
    membership: {
      ...membership,
      leave: async (fence) => {
        try {
          await membership.leave(fence);
        } finally {
          await session.destroy();
        }
      },
    },
    ...options,
  });
  return keeper;
}

const SERVER: MembershipServer = {
  // Earlier versions take the same lock alone. A session may take it many times: each proves that it still has it.
  keepEarlierOut: async (session) => {
    const { rows }: { rows: { taken: boolean }[] } = await session
      .raw('SELECT pg_try_advisory_lock_shared(?, ?) AS taken', [...WHOLE_DATABASE])
      .options({ query_timeout: BEAT_DEADLINE_MS });
    return rows[0]?.taken === true;
  },
  expel: async (session, processId) => {
    const deadline = performance.now() + EXPEL_DEADLINE_MS;
    for (;;) {
      const { rows }: { rows: unknown[] } = await session.raw(
        // Every role that may connect sees such a name, and can take it. Only those that may take the slot run this program.
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = ? AND has_table_privilege(usesysid, 'slots', 'UPDATE')`,
        [applicationName(processId)],
      );
      if (rows.length === 0) return;
      if (performance.now() >= deadline) {
        throw new Error(
          `${rows.length} connections of a dead process have not ended: the role must be that which opened them`,
        );
      }
      await delay(EXPEL_POLL_MS);
    }
  },
};
