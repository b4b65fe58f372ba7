import { vouchingHost } from '../domain/client-id.ts';
import { CONSENT_IDLE_MS } from '../domain/limits.ts';
import { isPersonalTokenClient } from '../domain/personal-token.ts';
import type { Scope } from '../domain/scope.ts';
import type { Consent } from '../ports/consents.ts';
import type { ClientSessions } from '../ports/store.ts';
import type { ServiceContext } from './context.ts';

/** What a person allows one client, all consents of it together: one that asked twice is still one. */
export interface AgentAccess {
  /** Of its newest consent. */
  consentId: string;
  clientId: string;
  /** As the person read it when they last allowed it something. */
  clientName: string;
  /** The host that vouches for the name; undefined where the client only gave it itself. */
  vouchedBy: string | undefined;
  scopes: readonly Scope[];
  /** Milliseconds since 1970: when the person first allowed it. */
  createdAt: number;
  /** When it last got tokens. */
  lastUsedAt: number;
  /** When it ends whatever its use, for a token that the person has made; null for a client that asked. */
  endsAt: number | null;
  sessions: { count: number; lastUsedAt: number | null };
}

/** The clients that a person allows something, the last used one first. */
export async function agents({ consents, store }: ServiceContext, accountId: string): Promise<AgentAccess[]> {
  const [standing, sessions] = await Promise.all([
    consents.ofAccount(accountId),
    store.agentSessions.ofAccount(accountId),
  ]);
  const sessionsOf = new Map(sessions.map((each) => [each.clientId, each]));
  const byClient = Map.groupBy(standing, ({ clientId }) => clientId);
  return [...byClient].flatMap(([clientId, given]) => accessOf(given, sessionsOf.get(clientId)));
}

function accessOf(given: readonly Consent[], sessions: ClientSessions | undefined): AgentAccess[] {
  const [newest] = given.toSorted((one, other) => other.createdAt - one.createdAt);
  if (newest === undefined) return [];
  const { consentId, clientId, clientName } = newest;
  return [
    {
      consentId,
      clientId,
      clientName,
      vouchedBy: vouchingHost(clientId),
      scopes: [...new Set(given.flatMap(({ scopes }) => scopes))],
      createdAt: Math.min(...given.map(({ createdAt }) => createdAt)),
      lastUsedAt: Math.max(...given.map(({ lastUsedAt }) => lastUsedAt)),
      endsAt: isPersonalTokenClient(clientId) ? newest.lastUsedAt + CONSENT_IDLE_MS : null,
      sessions: { count: sessions?.sessions ?? 0, lastUsedAt: sessions?.lastUsedAt ?? null },
    },
  ];
}
