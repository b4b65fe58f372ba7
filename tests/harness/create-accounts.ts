import { createSeal } from '../../src/connector/store/aes-seal.ts';
import { openDatabase } from '../../src/connector/store/database.ts';
import { createStore } from '../../src/connector/store/index.ts';
import { loadStateKeys } from '../../src/connector/store/state-keys.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { choiceOf } from './open-store.ts';
import type { DatabaseConfig } from './test-database.ts';

export interface MadeAccount {
  login: string;
  channels: readonly string[];
  /** Taken up as soon as the connector starts. */
  isOnline: boolean;
}

/** Writes accounts without invitations, while the connector does not run; returns their ids. */
export async function createAccounts(
  stateDirectory: string,
  database: DatabaseConfig,
  accounts: readonly MadeAccount[],
): Promise<string[]> {
  const { sealKey } = loadStateKeys(stateDirectory);
  const { close, ...opened } = await openDatabase(choiceOf(database), systemClock);
  try {
    const store = createStore(opened, createSeal(sealKey), systemClock);
    const ids: string[] = [];
    for (const { login, channels, isOnline } of accounts) {
      const grants = channels.map((channel) => ({ channel, enabled: true }));
      const account = await store.accounts.create({ login, nick: login, grants }, accounts.length);
      if (account === undefined) throw new Error(`account ${login} was not made`);
      if (isOnline) await store.accounts.setOnline(account.accountId, systemClock.now());
      ids.push(account.accountId);
    }
    return ids;
  } finally {
    await close();
  }
}
