import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { StandbyPair } from './standby-pair.ts';

/** Freezes the process that serves while it is within a transaction that stores a line. */
export async function freezeInTransaction(pair: StandbyPair, line: string): Promise<void> {
  const { bob, serving, stack } = pair;
  const database = stack.database.connect();
  try {
    const sessions = (state: string) =>
      waitFor(`a session is ${state}`, async () => {
        const { rows } = await database.raw(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'homeport-connector prc%'
           AND ${state}`,
        );
        return rows.length > 0;
      });
    await database.transaction(async (locking) => {
      await locking.raw('LOCK TABLE entries IN SHARE ROW EXCLUSIVE MODE');
      bob.say('#room', line);
      await sessions(`wait_event_type = 'Lock' AND query LIKE '%"entries"%'`);
      serving.process.kill('SIGSTOP');
    });
    await sessions(`state = 'idle in transaction'`);
  } finally {
    await database.destroy();
  }
}
