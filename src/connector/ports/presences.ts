import type { PresenceStatus } from './presence.ts';

/** The sessions with the bouncer that stand, as the process that holds them writes them down. */
export interface PresenceStore {
  /** What this process knows of the session that it holds, in place of what it wrote before. */
  write(accountId: string, status: PresenceStatus): Promise<void>;
  ended(accountId: string): Promise<void>;
  /** Nothing stands from now on: at start, after a process that ended without a word. */
  endAll(): Promise<void>;
  /** What was written last of the session that stands; undefined without one. */
  find(accountId: string): Promise<PresenceStatus | undefined>;
}
