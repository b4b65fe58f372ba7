import { randomBytes } from 'node:crypto';
import type { CapturedLine } from '../../src/connector/domain/entry.ts';
import type { LoginKey } from '../../src/connector/domain/login-name.ts';
import type { Claim, Fence } from '../../src/connector/ports/claims.ts';
import type { ConsentStore } from '../../src/connector/ports/consent-store.ts';
import type { Freshness, Invalidations } from '../../src/connector/ports/invalidations.ts';
import type { OauthRecords } from '../../src/connector/ports/oauth-records.ts';
import type { Store } from '../../src/connector/ports/store.ts';
import { newId } from '../../src/connector/random.ts';
import { createSeal } from '../../src/connector/store/aes-seal.ts';
import { type DatabaseChoice, databaseServer } from '../../src/connector/store/connect/index.ts';
import type { DatabaseServer } from '../../src/connector/store/connect/server.ts';
import type { Database } from '../../src/connector/store/database.ts';
import { createMembership } from '../../src/connector/store/hold/row-membership.ts';
import { lockSlot } from '../../src/connector/store/hold/slot-lock.ts';
import { createStore } from '../../src/connector/store/index.ts';
import { createOauthStore, type OauthStore } from '../../src/connector/store/oauth-store.ts';
import { createInvalidations } from '../../src/connector/store/shared-invalidations.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { VERSION } from '../../src/kernel/version.ts';
import { migratedDatabase } from './migrated-database.ts';
import { tempFolder } from './temp-folder.ts';
import type { DatabaseConfig } from './test-database.ts';

/** A real store in a folder of its own, under a clock that the test moves. */
export interface OpenStore extends AsyncDisposable {
  store: Store;
  consents: ConsentStore;
  records: OauthRecords;
  /** Reports what changes in `store`. */
  invalidations: Invalidations;
  database: Database;
  readers: Database;
  clock: Clock & {
    set(now: number): void;
    /** Sets the wall clock, as a person does: no time passes. */
    step(ms: number): void;
  };
  /** Returns the same data as another run of the program sees it, under a clock of its own. */
  anew(clock: Clock, loginKey?: LoginKey, invalidations?: Invalidations): Store;
  /** Returns the same data as a process with this id sees it, which delivers beside others. */
  asProcess(processId: string, clock?: Clock): Store;
  /** The database, and the key of what is encrypted in it, for other programs. */
  opened: { choice: DatabaseChoice; sealKey: Buffer };
  /**
   * Another process takes the database: the result is the same data as that process sees it, and this one stores no
   * more until the result ends. Only for a database that several can share.
   */
  takenOver(): Promise<TakenOver>;
  /** The same data as another process sees it at the same time, on connections of its own if the database can be shared. */
  beside(freshness: Freshness): Pick<OpenStore, 'store' | 'database'> & OauthStore;
  /** A new account with channels it has enabled. */
  account(login: string, channels?: readonly string[]): Promise<string>;
}

/** The store of another process that has taken the database. */
export interface TakenOver extends AsyncDisposable {
  anew(clock: Clock): Store;
}

/** @param freshness whether other processes write to the database, too; by default none does */
export async function openStore(freshness?: Freshness): Promise<OpenStore> {
  const folder = await tempFolder();
  const own = await migratedDatabase(folder.path);
  let now = Date.UTC(2026, 0, 1);
  let stepped = 0;
  const clock = {
    now: () => now + stepped,
    monotonic: () => now,
    set: (time: number) => {
      now = time - stepped;
    },
    step: (ms: number) => {
      stepped += ms;
    },
  };
  const choice = choiceOf(own.config);
  const { database, readers, fence, close } = await openFenced(choice);
  let other: ReturnType<typeof openOther> | undefined;
  const sealKey = randomBytes(32);
  const seal = createSeal(sealKey);
  const anew = (own: Clock, loginKey?: LoginKey, itsInvalidations?: Invalidations): Store =>
    createStore({ database, readers }, seal, own, itsInvalidations, loginKey);
  const invalidations = createInvalidations(freshness);
  const store = createStore({ database, readers }, seal, clock, invalidations);
  const pools: Database[] = [];
  const { consents, records } = createOauthStore(database, seal, clock, invalidations);
  return {
    anew,
    asProcess: (processId, own = clock) => createStore({ database, readers, processId }, seal, own),
    opened: { choice, sealKey },
    store,
    consents,
    records,
    invalidations,
    database,
    readers,
    clock,
    takenOver: async () => {
      if (fence === undefined) throw new Error('this database can’t be shared');
      other ??= openOther(databaseServer(choice), fence);
      const { taken, give } = other;
      await give(taken.fence);
      return {
        anew: (itsClock) => createStore(taken, seal, itsClock),
        [Symbol.asyncDispose]: () => give(fence),
      };
    },
    beside: (itsFreshness) => {
      const server = databaseServer(choice);
      const itsInvalidations = createInvalidations(itsFreshness);
      const its = server.join === undefined ? { database, readers } : connected(server);
      if (its.database !== database) pools.push(its.database);
      const oauth = createOauthStore(its.database, seal, clock, itsInvalidations);
      return { ...oauth, database: its.database, store: createStore(its, seal, clock, itsInvalidations) };
    },
    account: async (login, channels = ['#room']) => {
      const grants = channels.map((channel) => ({ channel, enabled: true }));
      const account = await store.accounts.create({ login, nick: login, grants }, 10_000);
      if (account === undefined) throw new Error('no account was made');
      return account.accountId;
    },
    [Symbol.asyncDispose]: async () => {
      await other?.close();
      for (const pool of pools) await pool.destroy();
      await close();
      await own[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/**
 * Opens the database as the program that holds it, but without heartbeats: time may pass at once in a test, and a program
 * that does not hear from its server for seconds stops to trust itself. Each transaction still checks the fence.
 */
async function openFenced(choice: DatabaseChoice) {
  const server = databaseServer(choice);
  const claim = await claimWithoutTime(server);
  const database = server.connect('serve', claim);
  const readers = server.connectReaders?.() ?? database;
  const close = async (): Promise<void> => {
    if (readers !== database) await readers.destroy();
    await database.destroy();
  };
  return { database, readers, fence: claim?.fence, close };
}

function connected(server: DatabaseServer): { database: Database; readers: Database } {
  const database = server.connect('serve');
  return { database, readers: database };
}

async function claimWithoutTime(server: DatabaseServer): Promise<Claim | undefined> {
  if (server.join === undefined) return undefined;
  return trustedWith(await takeSlot(server));
}

function trustedWith(fence: Fence): Claim {
  const never = (): void => undefined;
  return { fence, isTrusted: () => true, onLost: never, onDoubt: never, release: async () => undefined };
}

async function takeSlot(server: DatabaseServer): Promise<Fence> {
  const session = server.connect('migrate');
  try {
    const own = { processId: newId('prc'), name: 'test', version: VERSION };
    const alone = { keepEarlierOut: async () => true, expel: async () => undefined };
    const membership = createMembership(session, own, alone);
    const slot = await membership.beat(0);
    const fence = slot && (await membership.take(slot, false));
    if (fence === undefined) throw new Error('another process has the database of this test');
    return fence;
  } finally {
    await session.destroy();
  }
}

/** The connections of another process, which stay open: to close them takes time, which may be a test's own. */
function openOther(server: DatabaseServer, { fence }: Fence) {
  const own: Fence = { processId: newId('prc'), fence: fence + 1 };
  const database = server.connect('serve', trustedWith(own));
  const session = server.connect('migrate');
  return {
    taken: { database, readers: database, fence: own },
    /** Gives the slot as a taker does, but without a look at the holder. */
    give: (to: Fence): Promise<void> =>
      session.transaction(async (transaction) => {
        await lockSlot(transaction);
        await transaction('slots').update({ process_id: to.processId, fence: to.fence });
        // Each account has spoken lately by the test's clock, so each is owed a password.
        const ids: string[] = to === own ? await transaction('accounts').pluck('account_id') : [];
        const owed = ids.map((accountId) => ({ account_id: accountId }));
        if (owed.length > 0) await transaction('owed_passwords').insert(owed).onConflict('account_id').ignore();
      }),
    close: async () => {
      await database.destroy();
      await session.destroy();
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
