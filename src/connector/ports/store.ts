import type { AccountStore } from './accounts.ts';
import type { AgentCursorStore } from './agent-cursors.ts';
import type { AgentSessionStore } from './agent-sessions.ts';
import type { BrowserSessionStore } from './browser-sessions.ts';
import type { CaptureStore } from './capture.ts';
import type { EntryStore } from './entries.ts';
import type { HistoryStore } from './history.ts';
import type { MessageStore } from './messages.ts';
import type { PresenceStore } from './presences.ts';
import type { RetentionStore } from './retention.ts';
import type { TextIndexStore } from './text-index.ts';

export interface Store {
  accounts: AccountStore;
  entries: EntryStore;
  history: HistoryStore;
  messages: MessageStore;
  presences: PresenceStore;
  capture: CaptureStore;
  retention: RetentionStore;
  textIndex: TextIndexStore;
  agentCursors: AgentCursorStore;
  agentSessions: AgentSessionStore;
  browserSessions: BrowserSessionStore;
}
