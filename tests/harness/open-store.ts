import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { CapturedLine } from '../../src/connector/domain/entry.ts';
import type { Store } from '../../src/connector/ports/store.ts';
import { type Database, openDatabase } from '../../src/connector/store/database.ts';
import { createStore } from '../../src/connector/store/index.ts';
import { createSeal } from '../../src/connector/store/seal.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { tempFolder } from './temp-folder.ts';

/** A real store in a folder of its own, under a clock that the test moves. */
export interface OpenStore extends AsyncDisposable {
  store: Store;
  database: Database;
  clock: Clock & { set(now: number): void };
  /** A new account with channels it has enabled. */
  account(login: string, channels?: readonly string[]): Promise<string>;
}

export async function openStore(): Promise<OpenStore> {
  const folder = await tempFolder();
  const database = await openDatabase(join(folder.path, 'test.db'));
  let now = Date.UTC(2026, 0, 1);
  const clock = {
    now: () => now,
    monotonic: () => now,
    set: (time: number) => {
      now = time;
    },
  };
  const store = createStore(database, createSeal(randomBytes(32)), clock);
  return {
    store,
    database,
    clock,
    account: async (login, channels = ['#room']) => {
      const grants = channels.map((channel) => ({ channel, enabled: true }));
      const account = await store.accounts.create({ login, nick: login, grants }, 10_000);
      if (account === undefined) throw new Error('no account was made');
      return account.accountId;
    },
    [Symbol.asyncDispose]: async () => {
      await database.destroy();
      await folder[Symbol.asyncDispose]();
    },
  };
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
