import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { allowDatabaseTime } from '../../database-time.ts';
import {
  adoptAccountSlots,
  buryReader,
  declineAccountSlots,
  giveAccountSlot,
  readAccountSlots,
  readAccountSlotsAfter,
} from './account-slot-rows.ts';
import { decideSettings, hasAgreement, readAgreement } from './agreement-rows.ts';
import { readCompany } from './company-rows.ts';
import type { Membership } from './membership.ts';
import { lackingBreakingSteps, readOlder } from './older-rows.ts';
import { beat, forget, hasSchemaColumn, leave, type OwnRow, readSlot } from './process-rows.ts';
import { takeSlot } from './take-slot.ts';
import { seeSharing } from './who-is-there.ts';

/** Longest wait for statements under way when the process ends, */
const PATIENCE_MS = 200;
/** and longest wait for the release itself, before it is tried on another connection. */
const LEAVE_MS = 600;
/**
 * Longest wait for the end of own connections. A lock that is held after it keeps the next process waiting, as it must.
 */
const OWN_END_MS = 300;
/** Longest time of a transaction that moves account slots: a heartbeat must not wait for it for longer. */
const MOVE_MS = 3_000;
/** Longest wait for the end of a dead reader's connections: the next heartbeat must not come too late. */
const READER_END_MS = 500;

/** Operations that only a server of several processes has. */
export interface MembershipServer {
  /** Excludes earlier versions of the program, again with each heartbeat; false while one of them has the database. */
  keepEarlierOut(session: Knex): Promise<boolean>;
  /**
   * See `Membership.expel`. Spares the connection of `session` itself.
   * @param withinMs deadline in milliseconds
   */
  expel(session: Knex, processId: string, withinMs?: number): Promise<string | undefined>;
  /** Opens another connection, to end a statement that hangs on the connection of `session`; closed after it. */
  connectAnew?(): Knex;
}

/**
 * Creates the membership of one process, stored as rows.
 * @param session its only connection, so that statements keep their order
 */
export function createMembership(session: Knex, own: OwnRow, server: MembershipServer): Membership {
  let hasLeft = false;
  let isCurrent = false;
  let hasSchema = false;
  let lacking: { at: number; steps: readonly string[] } | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  // Each is one statement or one transaction, and comes before those of `leave` or is rejected.
  const whileMember = <T>(ask: () => Promise<T>): Promise<T> => {
    if (hasLeft) return Promise.reject(new Error('this process has left the database'));
    const asked = ask();
    // The failure is that of the asked work; here only the end counts.
    underWay = asked.catch(() => undefined);
    return asked;
  };
  const leaveBy = async (way: Knex): Promise<void> => {
    // A statement that hangs would keep the slot's lock, and block the next process.
    await server.expel(way, own.processId, OWN_END_MS).catch(() => undefined);
    await leave(way, own.processId);
  };
  return {
    processId: own.processId,
    beat: async (clockAheadMs, ageMs = 0) => {
      if (!(await whileMember(() => server.keepEarlierOut(session)))) return undefined;
      hasSchema ||= await whileMember(() => hasSchemaColumn(session));
      await whileMember(() => beat(session, own, clockAheadMs, { ageMs, hasSchema }));
      return whileMember(() => readSlot(session, hasSchema));
    },
    company: (wantsToRead) => whileMember(() => readCompany(session, own.processId, wantsToRead)),
    bury: async (dead, fence) => {
      const left = await whileMember(() => server.expel(session, dead.processId, READER_END_MS));
      const how = { fence, hasConnections: left !== undefined };
      return whileMember(() => inTime(() => buryReader(session, dead, how)));
    },
    forget: async (ended) => {
      // What it has sent to the server before its end must be stored by then, or refused.
      const left = await whileMember(() => server.expel(session, ended, READER_END_MS));
      if (left === undefined) await whileMember(() => forget(session, ended));
    },
    accountSlots: (isInDoubt) =>
      whileMember(() => inTime(() => (isInDoubt ? readAccountSlotsAfter : readAccountSlots)(session, own))),
    adopt: (fence) => whileMember(() => inTime(() => adoptAccountSlots(session, fence))),
    give: (gift, right, stored) =>
      whileMember(() => inTime(() => giveAccountSlot(session, { processId: own.processId, ...gift }, right, stored))),
    agree: async (stated, known) => {
      isCurrent ||= await whileMember(() => hasAgreement(session));
      return isCurrent ? whileMember(() => readAgreement(session, own, stated, known)) : undefined;
    },
    decide: (content, isReloaded) => whileMember(() => decideSettings(session, own, content, isReloaded)),
    decline: (declines) => whileMember(() => declineAccountSlots(session, own.processId, declines)),
    older: async (at) => {
      if (lacking?.at !== at) lacking = { at, steps: await whileMember(() => lackingBreakingSteps(session)) };
      const { steps } = lacking;
      const mayBeOlder = hasSchema && steps.length > 0;
      return { steps, processes: mayBeOlder ? await whileMember(() => readOlder(session, own.processId, steps)) : [] };
    },
    look: () => seeSharing(session),
    expel: (processId) => whileMember(() => server.expel(session, processId)),
    take: (seen, isEnded, readsSince) =>
      whileMember(() => takeSlot(session, own, seen, { isEnded, readsSince, isWanted: () => !hasLeft })),
    leave: async () => {
      hasLeft = true;
      const isIdle = await isDoneIn(underWay, PATIENCE_MS);
      if (server.connectAnew === undefined) return leaveBy(session);
      // An idle connection may still be broken. Leaving twice does no harm.
      if (isIdle && (await isDoneIn(leaveBy(session), LEAVE_MS))) return;
      const other = server.connectAnew();
      try {
        await leaveBy(other);
      } finally {
        await other.destroy();
      }
    },
  };
}

/** Runs work whose statements share a deadline. */
const inTime = <T>(work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const isOver = allowDatabaseTime(MOVE_MS, () => {
      work()
        .then(resolve, reject)
        .finally(() => isOver());
    });
  });

const isDoneIn = (work: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([
    work.then(
      () => true,
      // The caller gets the failure; here only the end counts.
      () => false,
    ),
    delay(ms, false, { ref: false }),
  ]);
