import type { Clock } from '../../kernel/clock.ts';
import type { Seal } from '../ports/seal.ts';
import type { Store } from '../ports/store.ts';
import { createAccountStore } from './accounts.ts';
import { createAgentCursorStore } from './agent-cursors.ts';
import { createAgentSessionStore } from './agent-sessions.ts';
import { createBrowserSessionStore } from './browser-sessions.ts';
import { createCaptureStore } from './capture.ts';
import type { OpenDatabase } from './database.ts';
import { createEntryStore } from './entries.ts';
import { withFailuresExplained } from './failures.ts';
import { createHistoryStore } from './history.ts';
import { createMessageStore } from './messages.ts';
import { createPresenceStore } from './presences.ts';
import { createRetentionStore } from './retention.ts';
import { createTextIndexStore } from './text-index.ts';

/** All aggregates over one database. */
export function createStore(
  { database, readers }: Pick<OpenDatabase, 'database' | 'readers'>,
  seal: Seal,
  clock: Clock,
): Store {
  return {
    accounts: withFailuresExplained(createAccountStore(database, seal, clock)),
    entries: withFailuresExplained(createEntryStore(readers)),
    history: withFailuresExplained(createHistoryStore(readers)),
    capture: withFailuresExplained(createCaptureStore(database, clock)),
    retention: withFailuresExplained(createRetentionStore(database)),
    messages: withFailuresExplained(createMessageStore(database, clock)),
    presences: withFailuresExplained(createPresenceStore(database, readers)),
    agentCursors: withFailuresExplained(createAgentCursorStore(database, readers)),
    agentSessions: withFailuresExplained(createAgentSessionStore(database, clock)),
    textIndex: withFailuresExplained(createTextIndexStore(database, readers)),
    browserSessions: withFailuresExplained(createBrowserSessionStore(database, clock)),
  };
}
