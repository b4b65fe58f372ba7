import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { ProvableClaim } from '../../ports/claims.ts';
import { CONNECTOR } from './server.ts';

/** "home": the first of the two keys of every claim. */
const HOME = 0x686f6d65;
/** "port": the second key of the claim on the whole database, as in versions that had no other claim. */
const PORT = 0x706f7274;

/** The claim on the whole database. */
export const WHOLE_DATABASE: readonly number[] = [HOME, PORT];

/** Interval of renewals: a broken connection loses the claim. */
const RENEW_MS = 5_000;
/** Interval while it is not known whether the claim is held. */
const RETRY_MS = 500;
/**
 * Time for which an answered renewal proves the claim, counted from its sending, by a monotonic clock that also runs
 * while the machine is suspended. The server gives the lock up 30 s after the last packet from here (`KEEP_ALIVE`), so
 * another process can't have it earlier.
 */
const TRUST_MS = 20_000;

const TAKEN = 'another process has taken the database';

/**
 * Takes a lock on the server that lasts as long as the session's one connection: it is free at once when this process
 * dies. A session may take the lock many times, so taking it again proves that it is still held.
 * @param connect opens the session, which calls `ended` when its connection has ended
 * @param sinceBoot milliseconds from an arbitrary start, with those in which the machine was suspended
 */
export async function claimPostgres(
  connect: (ended: () => void) => Knex,
  name: string,
  sinceBoot: () => number,
): Promise<ProvableClaim | undefined> {
  const keys = keysOf(name);
  let ended = (): void => undefined;
  const session = connect(() => ended());
  const sentAt = sinceBoot();
  try {
    const backend = await takenBy(session, keys);
    if (backend !== undefined) {
      const held = new HeldClaim({ session, keys, backend, sinceBoot }, sentAt);
      ended = () => held.connectionEnded();
      return held;
    }
  } catch (error) {
    await session.destroy();
    throw error;
  }
  await session.destroy();
  return undefined;
}

/** Returns the lock's two keys. Names with the same hash exclude each other: then a claim waits without need. */
const keysOf = (name: string): number[] => [
  HOME,
  name === CONNECTOR ? PORT : createHash('sha256').update(name).digest().readInt32BE(),
];

/**
 * Takes the lock. Returns the number of the server's process that holds it for us; undefined while another session has
 * it.
 */
async function takenBy(session: Knex, keys: readonly number[]): Promise<number | undefined> {
  const { rows }: { rows: { taken: boolean; backend: number }[] } = await session.raw(
    'SELECT pg_try_advisory_lock(?, ?) AS taken, pg_backend_pid() AS backend',
    [...keys],
  );
  return rows[0]?.taken === true ? rows[0].backend : undefined;
}

interface TakenLock {
  session: Knex;
  keys: readonly number[];
  /** The server's process that took it first. */
  backend: number;
  sinceBoot(): number;
}

/**
 * Renews the lock until it is released. A server that does not answer may have given up this connection, and another
 * process may get the lock. So this process distrusts its claim before that, and trusts it again when a renewal
 * succeeds. The pools of the database check that before each statement.
 */
class HeldClaim implements ProvableClaim {
  readonly #session: Knex;
  readonly #keys: readonly number[];
  readonly #backend: number;
  readonly #sinceBoot: () => number;
  /** Whether a connection that held the lock has ended: until the next one took it, it was free. */
  #wasFree = false;
  #trustedUntil: number;
  #onLost: ((why: string) => void) | undefined;
  #onDoubt: (() => void) | undefined;
  #isLost = false;
  #isReleased = false;
  #isRenewing = false;
  /** Whether the connection has ended since the last renewal began; its answer then proves no claim. */
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #doubtTimer: NodeJS.Timeout | undefined;

  constructor({ session, keys, backend, sinceBoot }: TakenLock, sentAt: number) {
    this.#session = session;
    this.#keys = keys;
    this.#backend = backend;
    this.#sinceBoot = sinceBoot;
    this.#trustedUntil = sentAt + TRUST_MS;
    this.#doubtLater();
    this.#renewIn(RENEW_MS);
  }

  isTrusted(): boolean {
    if (this.#isLost || this.#trustedUntil === 0) return false;
    if (this.#sinceBoot() < this.#trustedUntil) return true;
    // After a suspension, the timers that stop running statements and renew the claim have not fired yet.
    this.#doubt();
    if (!this.#isRenewing) this.#renewIn(0);
    return false;
  }

  /** Ends the trust, because the lock ended with the connection. */
  connectionEnded(): void {
    if (this.#isReleased) return;
    this.#wasFree = true;
    this.#hasEnded = true;
    this.#doubt();
    if (!this.#isRenewing) this.#renewIn(0);
  }

  onLost(lost: (why: string) => void): void {
    this.#onLost = lost;
    if (this.#isLost) lost(TAKEN);
  }

  onDoubt(doubted: () => void): void {
    this.#onDoubt = doubted;
  }

  async wasHeld(): Promise<boolean> {
    const backend = await takenBy(this.#session, this.#keys);
    // The server keeps a lock as long as its connection lives: the same backend proves that it was never free.
    return !this.#wasFree && backend === this.#backend;
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#doubtTimer);
    await this.#session.destroy();
  }

  #doubtLater(): void {
    clearTimeout(this.#doubtTimer);
    const delayMs = Math.max(0, this.#trustedUntil - this.#sinceBoot());
    this.#doubtTimer = setTimeout(() => this.#doubt(), delayMs).unref();
  }

  #doubt(): void {
    this.#trustedUntil = 0;
    this.#onDoubt?.();
  }

  #renewIn(delayMs: number): void {
    if (this.#isReleased || this.#isLost) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#renew(), delayMs).unref();
  }

  async #renew(): Promise<void> {
    this.#isRenewing = true;
    this.#hasEnded = false;
    const sentAt = this.#sinceBoot();
    const isHeld = await takenBy(this.#session, this.#keys).then(
      (backend) => backend !== undefined,
      // Without an answer it is unknown who holds the claim: it stays in doubt.
      () => undefined,
    );
    this.#isRenewing = false;
    if (this.#isReleased) return;
    if (isHeld === false) {
      this.#isLost = true;
      clearTimeout(this.#doubtTimer);
      this.#doubt();
      this.#onLost?.(TAKEN);
      return;
    }
    if (isHeld === true && !this.#hasEnded) {
      this.#trustedUntil = sentAt + TRUST_MS;
      this.#doubtLater();
    }
    this.#renewIn(this.isTrusted() ? RENEW_MS : RETRY_MS);
  }
}
