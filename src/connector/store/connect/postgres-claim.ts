import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Claim } from '../../ports/claims.ts';
import { CONNECTOR } from './server.ts';

/** "home": the first of the two keys of every claim. */
const HOME = 0x686f6d65;
/** "port": the second key of the claim on the whole database, as it was when there was no other. */
const PORT = 0x706f7274;

/** How often the claim is renewed: a broken connection loses it. */
const RENEW_MS = 5_000;

/**
 * A lock on the server that lasts as long as the one connection of `session`: it needs no clocks, and it is free at once
 * when this process dies. A session may take the lock many times, so taking it again proves that it is still held.
 */
export async function claimPostgres(session: Knex, name: string): Promise<Claim | undefined> {
  const keys = keysOf(name);
  try {
    if (await isOurs(session, keys)) return heldClaim(session, keys);
  } catch (error) {
    await session.destroy();
    throw error;
  }
  await session.destroy();
  return undefined;
}

/** Names of which the keys are the same by chance exclude each other, too: then a claim waits that need not. */
const keysOf = (name: string): number[] => [
  HOME,
  name === CONNECTOR ? PORT : createHash('sha256').update(name).digest().readInt32BE(),
];

async function isOurs(session: Knex, keys: readonly number[]): Promise<boolean> {
  const { rows }: { rows: { taken: boolean }[] } = await session.raw('SELECT pg_try_advisory_lock(?, ?) AS taken', [
    ...keys,
  ]);
  return rows[0]?.taken === true;
}

function heldClaim(session: Knex, keys: readonly number[]): Claim {
  let tellLost: (() => void) | undefined;
  let [isLost, isReleased] = [false, false];
  let timer: NodeJS.Timeout;
  const renewLater = (): void => {
    timer = setTimeout(() => void renew(), RENEW_MS).unref();
  };
  const renew = async (): Promise<void> => {
    // A server that does not answer stores nothing either; its next answer shows who has the lock.
    const isHeld = await isOurs(session, keys).catch(() => true);
    if (isReleased) return;
    isLost = !isHeld;
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
