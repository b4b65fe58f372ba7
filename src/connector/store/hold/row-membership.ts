import type { Knex } from 'knex';
import type { Membership } from './membership.ts';
import { beat, leave, type OwnRow, readSlot, releaseSlot, takeSlot } from './process-rows.ts';

/** What only a server of several processes can do. */
export interface MembershipServer {
  /** Keeps earlier versions of the program out, and is asked again with each heartbeat; false while one has the database. */
  keepEarlierOut(session: Knex): Promise<boolean>;
  /** See `Membership.expel`. */
  expel(session: Knex, processId: string): Promise<void>;
}

/** The membership of one process, as rows. @param session its own connection, which nothing else makes wait */
export function createMembership(session: Knex, own: OwnRow, server: MembershipServer): Membership {
  return {
    processId: own.processId,
    beat: async (clockAheadMs) => {
      if (!(await server.keepEarlierOut(session))) return undefined;
      await beat(session, own, clockAheadMs);
      return readSlot(session);
    },
    expel: (processId) => server.expel(session, processId),
    take: (seen, isEnded) => takeSlot(session, own, seen, { isEnded }),
    leave: async (fence) => {
      if (fence !== undefined) await releaseSlot(session, fence);
      await leave(session, own.processId);
    },
  };
}
