import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../domain/ids.ts';
import { AGENT_SESSION_IDLE_MS } from '../domain/limits.ts';
import type { AgentSessionStore } from '../ports.ts';
import type { Database } from './database.ts';

export function createAgentSessionStore(database: Database, clock: Clock): AgentSessionStore {
  const sessions = () => database('agent_sessions');
  const oldestLive = () => clock.now() - AGENT_SESSION_IDLE_MS;
  return {
    create: async (accountId, clientId) => {
      await sessions().where('last_used_at', '<', oldestLive()).delete();
      const sessionId = newId('ses');
      await sessions().insert({
        session_id: sessionId,
        account_id: accountId,
        client_id: clientId,
        last_used_at: clock.now(),
      });
      return sessionId;
    },
    touch: async (sessionId, accountId, clientId) => {
      const touched = await sessions()
        .where({ session_id: sessionId, account_id: accountId, client_id: clientId })
        .where('last_used_at', '>=', oldestLive())
        .update({ last_used_at: clock.now() });
      return touched === 1;
    },
  };
}
