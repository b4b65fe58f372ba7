import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import type { DatabaseServer } from './connect/server.ts';
import { stepsAreUnderWay } from './migrate.ts';

const LOOK_AGAIN_MS = 500;

/**
 * Waits for another process that does steps of the schema, for as long as they take: they end with that process. A
 * database that does not answer is not waited for.
 * @param ends ends the wait
 * @returns whether there were some
 */
export async function stepsHaveEnded(
  server: DatabaseServer,
  log: Logger | undefined,
  ends?: AbortSignal,
): Promise<boolean> {
  const database = server.connect('share');
  // A failure that lasts is that of the heartbeats.
  const areUnderWay = async (): Promise<boolean> =>
    (await stepsAreUnderWay(database).catch(() => false)) && ends?.aborted !== true;
  try {
    if (!(await areUnderWay())) return false;
    log?.info('waits for another process, which brings the schema of the database up to date');
    do {
      // The wait ends early with the signal.
      await delay(LOOK_AGAIN_MS, undefined, ends && { signal: ends }).catch(() => undefined);
    } while (await areUnderWay());
    return true;
  } finally {
    await database.destroy();
  }
}
