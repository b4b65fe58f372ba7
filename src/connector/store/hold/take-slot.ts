import type { Knex } from 'knex';
import type { Fence } from '../../ports/claims.ts';
import { entryOf, succeedInAccountSlots } from './account-slot-rows.ts';
import { databaseClock } from './database-clock.ts';
import { DEAD_AFTER_MS } from './observation.ts';
import { type OwnRow, readSlot, SLOT, type Slot } from './process-rows.ts';
import { lockProcess, lockSlotToTake } from './slot-lock.ts';

interface TakeOptions {
  /** Whether the process that has it certainly ended. */
  isEnded?: boolean;
  /**
   * Since when this process is entered as one that serves without the slot, if it has account slots: it takes nothing
   * when it has lost them.
   */
  readsSince?: number | undefined;
  /** Checked last, before the transaction commits. */
  isWanted?: () => boolean;
}

/**
 * Takes the slot from its holder, if that one still has it and is still silent, or has ended; undefined otherwise. Lock
 * order: the locks of the slot and of the silent process, then that one's row, so that a late heartbeat waits and then
 * finds the slot taken. The same transaction takes its account slots and the free ones, and records that accounts are
 * owed new passwords, so a crash before that work does not lose it.
 * @throws Error if it is not wanted any more: then the slot stays as it was
 */
export function takeSlot(
  database: Knex,
  { processId }: OwnRow,
  seen: Slot,
  { isEnded = false, readsSince, isWanted = () => true }: TakeOptions = {},
): Promise<Fence | undefined> {
  return database.transaction(async (transaction) => {
    await lockSlotToTake(transaction);
    const before = seen.holder?.processId;
    if (before !== undefined && (await livesAgain(transaction, before, seen)) && !isEnded) return undefined;
    if (readsSince !== undefined && (await entryOf(transaction, processId)) !== readsSince) return undefined;
    const taken = await transaction('slots')
      .where({ slot: SLOT, process_id: before ?? null, fence: seen.fence })
      .update({
        process_id: processId,
        fence: seen.fence + 1,
        taken_at: transaction.raw(databaseClock(transaction)),
      });
    if (taken === 0) return undefined;
    await succeedInAccountSlots(transaction, processId, { dead: before, owes: before !== undefined && !isEnded });
    if (before !== undefined) await transaction('processes').where('process_id', before).delete();
    if (!isWanted()) throw new Error('this process ends, and takes nothing any more');
    return { processId, fence: seen.fence + 1 };
  });
}

/** Waits for the holder's transactions and its heartbeat; returns whether it lives. */
async function livesAgain(transaction: Knex, holder: string, seen: Slot): Promise<boolean> {
  await lockProcess(transaction, holder);
  await transaction('processes').where('process_id', holder).forUpdate().first('process_id');
  return isFresh(await readSlot(transaction), seen);
}

/** Whether the holder has sent a heartbeat lately, or since it was seen. */
function isFresh({ holder, databaseNow }: Slot, seen: Slot): boolean {
  const seenAt = holder?.seenAt;
  if (seenAt === undefined || databaseNow - seenAt >= DEAD_AFTER_MS) return false;
  // Seen in the future, and unchanged: the database's clock was set back since.
  return seenAt <= databaseNow || seenAt !== seen.holder?.seenAt;
}
