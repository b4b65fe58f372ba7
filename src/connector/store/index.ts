import type { Clock } from '../../kernel/clock.ts';
import { type LoginKey, withCase } from '../domain/login-name.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import type { Seal } from '../ports/seal.ts';
import type { Store } from '../ports/store.ts';
import { createAccountStore } from './accounts.ts';
import { createAgentCursorStore } from './agent-cursors.ts';
import { createAgentSessionStore } from './agent-sessions.ts';
import { createBrowserSessionStore } from './browser-sessions.ts';
import { createCallStore } from './calls.ts';
import { createCaptureStore } from './capture.ts';
import type { OpenDatabase } from './database.ts';
import { createDeliveryStore } from './deliveries.ts';
import { createDownloadStore } from './downloads.ts';
import { createEntryStore } from './entries.ts';
import { withFailuresExplained } from './failures.ts';
import { Forgotten } from './forgotten.ts';
import { createHistoryStore } from './history.ts';
import { createLoginAttemptStore } from './login-attempts.ts';
import { createMessageStore } from './messages.ts';
import { createNetworkLoginStore } from './network-logins.ts';
import { createOrderStore } from './orders.ts';
import { createPresenceStore } from './presence-rows.ts';
import { createRemovalStore } from './removals.ts';
import { createRetentionStore } from './retention.ts';
import { createInvalidations } from './shared-invalidations.ts';
import { createSubscriptionStore } from './subscriptions.ts';
import { createTextIndexStore } from './text-index.ts';

/** Creates all aggregates over one database. */
export function createStore(
  {
    database,
    readers,
    processId,
  }: Pick<OpenDatabase, 'database' | 'readers'> & Partial<Pick<OpenDatabase, 'processId'>>,
  seal: Seal,
  clock: Clock,
  invalidations: Invalidations = createInvalidations(),
  loginKey: LoginKey = withCase,
): Store {
  const forgotten = new Forgotten(readers, invalidations);
  return {
    accounts: withFailuresExplained(createAccountStore({ database, seal, clock, invalidations, loginKey })),
    entries: withFailuresExplained(createEntryStore(readers, invalidations, forgotten)),
    history: withFailuresExplained(createHistoryStore(readers, forgotten)),
    capture: withFailuresExplained(createCaptureStore(database, clock, invalidations)),
    retention: withFailuresExplained(createRetentionStore({ database, readers, clock, invalidations })),
    removals: withFailuresExplained(createRemovalStore({ database, clock, invalidations })),
    messages: withFailuresExplained(createMessageStore({ database, readers, clock, invalidations })),
    networkLogins: withFailuresExplained(createNetworkLoginStore(database, seal, clock)),
    loginAttempts: withFailuresExplained(createLoginAttemptStore(database)),
    presences: withFailuresExplained(createPresenceStore(database, readers, invalidations)),
    agentCursors: withFailuresExplained(createAgentCursorStore({ database, readers, invalidations, forgotten })),
    agentSessions: withFailuresExplained(createAgentSessionStore(database, clock, invalidations)),
    subscriptions: withFailuresExplained(createSubscriptionStore({ database, readers, seal, clock, invalidations })),
    deliveries: withFailuresExplained(
      createDeliveryStore({ database, readers, processId, seal, clock, invalidations }),
    ),
    orders: withFailuresExplained(createOrderStore(database, invalidations)),
    downloads: withFailuresExplained(createDownloadStore(database, processId)),
    calls: withFailuresExplained(createCallStore(database, readers, clock)),
    textIndex: withFailuresExplained(createTextIndexStore(database, readers)),
    browserSessions: withFailuresExplained(createBrowserSessionStore(database, clock, invalidations)),
  };
}
