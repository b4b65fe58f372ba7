import { vouchingHost } from '../domain/client-id.ts';
import { CONSENT_IDLE_MS } from '../domain/limits.ts';
import { isPersonalTokenClient } from '../domain/personal-token.ts';
import type { Scope } from '../domain/scope.ts';
import type { Consent } from '../ports/consent-store.ts';
import type { ClientSessions } from '../ports/store.ts';
import type { ServiceContext } from './context.ts';

/** A client's access to an account: all its consents together, because a client that asked twice is still one. */
export interface AgentAccess {
  /** Id of the client's newest consent. */
  consentId: string;
  clientId: string;
  /** The client's name as the person read it at the newest consent. */
  clientName: string;
  /** The person's own name for the client; null without one. */
  givenName: string | null;
  /** The host that vouches for the name; undefined if only the client itself gave it. */
  vouchedBy: string | undefined;
  scopes: readonly Scope[];
  /** Time of the person's first consent, milliseconds since 1970. */
  createdAt: number;
  /** Time at which the client last got tokens, milliseconds since 1970. */
  lastUsedAt: number;
  /** End of a token that the person has made, however it is used; null for a client that asked for access. */
  endsAt: number | null;
  sessions: { count: number; lastUsedAt: number | null };
}

/** Returns the clients that have a person's consent, the last used one first. */
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
  const { consentId, clientId, clientName, givenName } = newest;
  return [
    {
      consentId,
      clientId,
      clientName,
      givenName,
      vouchedBy: vouchingHost(clientId),
      scopes: [...new Set(given.flatMap(({ scopes }) => scopes))],
      createdAt: Math.min(...given.map(({ createdAt }) => createdAt)),
      lastUsedAt: Math.max(...given.map(({ lastUsedAt }) => lastUsedAt)),
      endsAt: isPersonalTokenClient(clientId) ? newest.lastUsedAt + CONSENT_IDLE_MS : null,
      sessions: { count: sessions?.sessions ?? 0, lastUsedAt: sessions?.lastUsedAt ?? null },
    },
  ];
}
