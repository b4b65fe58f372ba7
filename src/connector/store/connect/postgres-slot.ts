import type { Knex } from 'knex';
import { messageOf, systemCodeOf } from '../../../kernel/errors.ts';
import { poll } from '../../../kernel/poll.ts';
import { ofProgram } from '../hold/application-name.ts';
import { BEAT_DEADLINE_MS, type OwnRow } from '../hold/process-rows.ts';
import { createMembership, type MembershipServer } from '../hold/row-membership.ts';
import { SlotKeeper, type SlotKeeperOptions } from '../hold/slot-keeper.ts';
import { WHOLE_DATABASE } from './postgres-claim.ts';

/** Connections of an ended process close at once, unless the server's machine is overloaded. */
const EXPEL_DEADLINE_MS = 5_000;
const EXPEL_POLL_MS = 50;
/** SQLSTATE of a missing privilege. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Joins the processes that share a database on PostgreSQL.
 * @param connect opens a pool of one connection, and calls `ended` each time that one has ended
 */
export function joinPostgres(
  connect: (ended: () => void) => Knex,
  own: OwnRow,
  options: Omit<SlotKeeperOptions, 'membership'>,
): SlotKeeper {
  const session = connect(() => keeper.connectionEnded());
  const membership = createMembership(session, own, { ...SERVER, connectAnew: () => connect(() => undefined) });
  const keeper = new SlotKeeper({
    membership: {
      ...membership,
      leave: async () => {
        try {
          await membership.leave();
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
  // Excludes earlier versions, which take the same lock exclusively. A session may take it many times: each time proves
  // that it still has it.
  keepEarlierOut: async (session) => {
    const { rows }: { rows: { taken: boolean }[] } = await session
      .raw('SELECT pg_try_advisory_lock_shared(?, ?) AS taken', [...WHOLE_DATABASE])
      .options({ query_timeout: BEAT_DEADLINE_MS });
    return rows[0]?.taken === true;
  },
  expel: async (session, processId, withinMs = EXPEL_DEADLINE_MS) => {
    let left = 0;
    const look = async (): Promise<{ refusal?: string } | undefined> => {
      const sessions = await endSessions(session, processId);
      left = sessions.left;
      return left === 0 || sessions.refusal !== undefined ? sessions : undefined;
    };
    const ended = await poll(look, { everyMs: EXPEL_POLL_MS, withinMs });
    if (ended === undefined) throw new Error(`${left} connections of a dead process have not ended`);
    // The fence refuses the writes of those that are left, and the server ends an idle transaction.
    return left === 0 ? undefined : `${left} of its connections may not be ended (${ended.refusal})`;
  },
};

const SESSIONS_OF = `FROM pg_stat_activity WHERE ${ofProgram('?')} AND pid <> pg_backend_pid()`;

/** Statement that ends all sessions that may be ended: the others must not keep them from ending. */
const END_SESSIONS = `SELECT may_end, CASE WHEN may_end THEN pg_terminate_backend(pid) END FROM (
  SELECT pid, pg_has_role(usesysid, 'USAGE') OR pg_has_role('pg_signal_backend', 'USAGE') AS may_end ${SESSIONS_OF}
) AS sessions`;

/** Ends a process's sessions on the server. @returns how many are left, and a reason if some can never be ended */
async function endSessions(session: Knex, processId: string): Promise<{ left: number; refusal?: string }> {
  const inTime = { query_timeout: BEAT_DEADLINE_MS };
  try {
    const { rows }: { rows: { may_end: boolean }[] } = await session.raw(END_SESSIONS, [processId]).options(inTime);
    const isRefused = rows.length > 0 && rows.every(({ may_end: mayEnd }) => !mayEnd);
    return { left: rows.length, ...(isRefused ? { refusal: 'another role has opened them' } : {}) };
  } catch (error) {
    if (systemCodeOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    const { rows }: { rows: unknown[] } = await session.raw(`SELECT pid ${SESSIONS_OF}`, [processId]).options(inTime);
    return { left: rows.length, refusal: messageOf(error) };
  }
}
