import type { Logger } from '../../kernel/log.ts';
import { pause } from '../pause.ts';
import { AdditiveSteps } from './additive-steps.ts';
import { type DatabaseChoice, databaseServer } from './connect/index.ts';
import type { OpenDatabase } from './database.ts';
import type { SlotKeeper } from './hold/slot-keeper.ts';

/** Interval of questions to a database that does not answer, or whose schema is one of an earlier version. */
const ASK_AGAIN_MS = 2_000;

export type OpenReading = Pick<OpenDatabase, 'database' | 'readers' | 'processId' | 'close'>;

/**
 * Opens the database for a process that serves without the slot, once others count on it. It does additive steps of the
 * schema, and waits for the process that gets the slot to do any other.
 * @param ends ends the wait
 * @returns undefined if the wait has ended before
 */
export async function openReading(
  choice: DatabaseChoice,
  { company, taken }: Pick<SlotKeeper, 'company' | 'taken'>,
  { ends, log }: { ends: AbortSignal; log: Logger },
): Promise<OpenReading | undefined> {
  const server = databaseServer(choice);
  const steps = new AdditiveSteps(server, log);
  if ((await untilAnswered(async () => (await steps.areDone()) || undefined, ends)) === undefined) return undefined;
  company.read();
  const hasEnded = Promise.withResolvers<boolean>();
  ends.addEventListener('abort', () => hasEnded.resolve(true), { once: true });
  const isTaken = taken.then(
    () => true,
    // Both ends of the taking end this wait.
    () => true,
  );
  if (await Promise.race([company.begins.then(() => false), isTaken, hasEnded.promise])) return undefined;
  const database = server.connect('read', company.claim);
  return { database, readers: database, processId: company.claim.processId, close: () => database.destroy() };
}

/**
 * Asks until the answer is one; undefined if the wait has ended before. Failures are not reported: those of heartbeats
 * are, and a failure that lasts ends a standby.
 */
export async function untilAnswered<T>(ask: () => Promise<T | undefined>, ends: AbortSignal): Promise<T | undefined> {
  while (!ends.aborted) {
    // Failures that last are reported by the heartbeats.
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined && !ends.aborted) return answer;
    await pause(ASK_AGAIN_MS, ends);
  }
  return undefined;
}
