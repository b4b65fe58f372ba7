import type { Knex } from 'knex';
import type { Claim } from './server.ts';

/** "home", "port": the pair of keys is the same in every database that holds this schema. */
const KEYS = [0x686f6d65, 0x706f7274];

/** How often the claim is made again: a connection that broke took it along. */
const RENEW_MS = 5_000;

/**
 * A lock of the server's that lasts as long as the one connection of `session`: no clock is compared, and it is free at
 * once when this process dies. A session may take it any number of times, so making sure of it is taking it again.
 */
export async function claimPostgres(session: Knex): Promise<Claim | undefined> {
  try {
    if (await isOurs(session)) return kept(session);
  } catch (error) {
    await session.destroy();
    throw error;
  }
  await session.destroy();
  return undefined;
}

async function isOurs(session: Knex): Promise<boolean> {
  const { rows }: { rows: { taken: boolean }[] } = await session.raw(
    'SELECT pg_try_advisory_lock(?, ?) AS taken',
    KEYS,
  );
  return rows[0]?.taken === true;
}

function kept(session: Knex): Claim {
  let tellLost: (() => void) | undefined;
  let [isLost, isReleased] = [false, false];
  let timer: NodeJS.Timeout;
  const renewLater = (): void => {
    timer = setTimeout(() => void renew(), RENEW_MS).unref();
  };
  const renew = async (): Promise<void> => {
    // While the server does not answer nothing can be stored either; who has the lock is seen when it does.
    const isKept = await isOurs(session).catch(() => true);
    if (isReleased) return;
    isLost = !isKept;
    if (isLost) tellLost?.();
    else renewLater();
  };
  renewLater();
  return {
    onLost: (lost) => {
      tellLost = lost;
      if (isLost) lost();
    },
    release: async () => {
      isReleased = true;
      clearTimeout(timer);
      await session.destroy();
    },
  };
}
