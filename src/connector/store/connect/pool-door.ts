import { askerNow, metered } from '../../database-time.ts';
import { ConnectionTurns } from './connection-turns.ts';

const doors = new WeakMap<object, PoolDoor>();

/** Returns the door of a pool. The library makes several clients for one pool. */
export function doorOf(pool: object | undefined): PoolDoor {
  const known = pool && doors.get(pool);
  if (known !== undefined) return known;
  // A client that has ended has no pool: acquiring fails.
  const { max = 1 } = (pool ?? {}) as { max?: number };
  const door = new PoolDoor(max);
  if (pool !== undefined) doors.set(pool, door);
  return door;
}

/** Takes connections out of one pool within the time of requests, and shares them among those who ask. */
class PoolDoor {
  readonly #turns: ConnectionTurns;
  /** Ends the turn of a connection that a request has. */
  readonly #ends = new WeakMap<object, () => void>();

  /** @param connections most connections of the pool */
  constructor(connections: number) {
    this.#turns = new ConnectionTurns(connections);
  }

  /** Acquires a connection within the request's remaining time. */
  acquire(acquire: () => Promise<unknown>, release: (connection: unknown) => Promise<unknown>): Promise<unknown> {
    return metered(async (leftMs) => {
      if (leftMs === undefined) return acquire();
      const endsAt = performance.now() + leftMs;
      const asker = askerNow();
      const end = asker === undefined ? undefined : await this.#turns.take(asker, Math.max(0, leftMs));
      try {
        const connection = await acquireUntil(endsAt, acquire, release);
        if (end !== undefined) this.#ends.set(connection as object, end);
        return connection;
      } catch (error) {
        end?.();
        throw error;
      }
    });
  }

  /** Handles a connection that is back in the pool. */
  released(connection: unknown): void {
    const end = this.#ends.get(connection as object);
    this.#ends.delete(connection as object);
    end?.();
  }
}

async function acquireUntil(
  endsAt: number,
  acquire: () => Promise<unknown>,
  release: (connection: unknown) => Promise<unknown>,
): Promise<unknown> {
  const acquiring = acquire();
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => {
      // A connection that comes too late goes back to the pool.
      acquiring.then(release, () => undefined);
      reject(new Error('timeout expired: no connection was free in time'));
    },
    Math.max(0, endsAt - performance.now()),
  );
  try {
    return await Promise.race([acquiring, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
