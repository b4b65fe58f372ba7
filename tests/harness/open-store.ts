import { randomBytes } from 'node:crypto';
import type { CapturedLine } from '../../src/connector/domain/entry.ts';
import type { LoginKey } from '../../src/connector/domain/login.ts';
import type { ConsentStore } from '../../src/connector/ports/consents.ts';
import type { Invalidations } from '../../src/connector/ports/invalidations.ts';
import type { Store } from '../../src/connector/ports/store.ts';
import type { DatabaseChoice } from '../../src/connector/store/connect/index.ts';
import { type Database, openDatabase } from '../../src/connector/store/database.ts';
import { createStore } from '../../src/connector/store/index.ts';
import { createInvalidations } from '../../src/connector/store/invalidations.ts';
import { createOauthStore } from '../../src/connector/store/oauth-store.ts';
import { createSeal } from '../../src/connector/store/seal.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { migratedDatabase } from './migrated-database.ts';
import { tempFolder } from './temp-folder.ts';
import type { DatabaseConfig } from './test-database.ts';

/** A real store in a folder of its own, under a clock that the test moves. */
export interface OpenStore extends AsyncDisposable {
  store: Store;
  consents: ConsentStore;
  /** Tells of what changes in `store`. */
  invalidations: Invalidations;
  database: Database;
  readers: Database;
  clock: Clock & { set(now: number): void };
  /** The same data as another run of the program sees it, under a clock of its own. */
  anew(clock: Clock, loginKey?: LoginKey): Store;
  /** A new account with channels it has enabled. */
  account(login: string, channels?: readonly string[]): Promise<string>;
}

/** A process whose clock is not the database's is trusted with nothing; tests move `Date`, and this clock stays. */
const REAL_CLOCK: Clock = {
  now: () => Math.round(performance.timeOrigin + performance.now()),
  monotonic: () => performance.now(),
};

export async function openStore(): Promise<OpenStore> {
  const folder = await tempFolder();
  const own = await migratedDatabase(folder.path);
  let now = Date.UTC(2026, 0, 1);
  const clock = {
    now: () => now,
    monotonic: () => now,
    set: (time: number) => {
      now = time;
    },
  };
  const { database, readers, close } = await openDatabase(choiceOf(own.config), REAL_CLOCK);
  const seal = createSeal(randomBytes(32));
  const anew = (own: Clock, loginKey?: LoginKey): Store =>
    createStore({ database, readers }, seal, own, undefined, loginKey);
  const invalidations = createInvalidations();
  const store = createStore({ database, readers }, seal, clock, invalidations);
  const { consents } = createOauthStore(database, seal, clock, invalidations);
  return {
    anew,
    store,
    consents,
    invalidations,
    database,
    readers,
    clock,
    account: async (login, channels = ['#room']) => {
      const grants = channels.map((channel) => ({ channel, enabled: true }));
      const account = await store.accounts.create({ login, nick: login, grants }, 10_000);
      if (account === undefined) throw new Error('no account was made');
      return account.accountId;
    },
    [Symbol.asyncDispose]: async () => {
      await close();
      await own[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The tests' database as the program opens it. */
export function choiceOf({ sqlite, postgres }: DatabaseConfig): DatabaseChoice {
  if (sqlite !== undefined) return { sqlite };
  if (postgres === undefined) throw new Error('a test has one database');
  return { postgres: { ...postgres, password: undefined, tls: 'off', poolSize: 8 } };
}

/** A message line of another person, unlike any other. */
export function capturedLine(text: string, serverAt: number, channel = '#room'): CapturedLine {
  return {
    channel,
    kind: 'message',
    sender: 'bob',
    text,
    target: null,
    serverAt,
    fingerprintBase: randomBytes(12).toString('hex'),
    isExact: true,
  };
}
