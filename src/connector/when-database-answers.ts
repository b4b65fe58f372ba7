import { EXIT_CONFIG, StartError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { poll } from '../kernel/poll.ts';
import type { ServiceManager } from '../kernel/systemd/notify.ts';
import type { DatabaseChoice } from './store/connect/index.ts';
import { inspectDatabase } from './store/database.ts';

/** Longest wait of one start, as for the agent's address. After it the start fails, and systemd begins another one. */
const WAIT_MS = 30_000;
const LOOK_AGAIN_MS = 1_000;

/**
 * Waits until the database server answers, if systemd has started the connector: a server may be away for days, and a
 * restart every two seconds would cost CPU and fill the journal, with eight lines each. Returns after the wait in any
 * case: the start that follows fails with the reason. A person who starts the connector by hand gets the error at once.
 */
export async function whenDatabaseAnswers(
  choice: DatabaseChoice,
  { manager, log }: { manager: ServiceManager; log: Logger },
): Promise<void> {
  if (!manager.isThere || !('postgres' in choice)) return;
  let isFirst = true;
  const look = async (): Promise<true | undefined> => {
    const reason = await obstacleOf(choice);
    if (reason === undefined) return true;
    if (isFirst) {
      isFirst = false;
      log.warn({ reason }, 'waiting for the database');
      await manager.waiting(reason);
    }
    return undefined;
  };
  await poll(look, { everyMs: LOOK_AGAIN_MS, withinMs: WAIT_MS });
}

/** Why the database can't be used now, and perhaps in a moment; undefined if it can, or a person has to change something first. */
async function obstacleOf(choice: DatabaseChoice): Promise<string | undefined> {
  try {
    await inspectDatabase(choice);
    return undefined;
  } catch (error) {
    return error instanceof StartError && error.exitStatus !== EXIT_CONFIG ? error.message : undefined;
  }
}
