import type { Knex } from 'knex';
import type { Claim } from './server.ts';

/** "home", "port": the pair of keys is the same in every database that holds this schema. */
const KEYS = [0x686f6d65, 0x706f7274];

/** How often the claim is renewed: a broken connection loses it. */
const RENEW_MS = 5_000;

/**
 * A lock on the server that lasts as long as the one connection of `session`: it needs no clocks, and it is free at once
 * when this process dies. A session may take the lock many times, so taking it again proves that it is still held.
 */
export async function claimPostgres(session: Knex): Promise<Claim | undefined> {
  try {
    if (await isOurs(session)) return heldClaim(session);
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

function heldClaim(session: Knex): Claim {
  let tellLost: (() => void) | undefined;
  let [isLost, isReleased] = [false, false];
  let timer: NodeJS.Timeout;
  const renewLater = (): void => {
    timer = setTimeout(() => void renew(), RENEW_MS).unref();
  };
  const renew = async (): Promise<void> => {
    // A server that does not answer stores nothing either; its next answer shows who has the lock.
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
