import type { Logger } from '../../kernel/log.ts';
import { secretHash } from '../domain/ids.ts';
import { CONSENT_IDLE_MS } from '../domain/limits.ts';
import { isScope } from '../domain/scope.ts';
import type { ConsentStore, EarlierConsent } from '../ports/consent-store.ts';
import type { EarlierGrant, OauthRecords } from '../ports/oauth-records.ts';
import { LEGACY_CLIENT_NAME } from './provider.ts';
import { UNNAMED_CLIENT } from './stored-consents.ts';

/** Grants read per step. */
const STEP_GRANTS = 500;
const SECOND_MS = 1_000;

export interface AdoptionParts {
  records: OauthRecords;
  consents: ConsentStore;
  legacyClient: { id: string } | undefined;
  log: Logger;
}

/** Payload of a grant that an earlier version stored, with the library's names. */
interface GrantPayload {
  accountId: string;
  clientId: string;
  iat: number;
  openid?: { scope?: string };
}

/**
 * Creates a consent for each grant of a version without consents. Grants are encrypted, so a migration cannot do it. It
 * must run before requests are served: without a consent no token is valid. A grant that has its consent is not read
 * again.
 */
export async function adoptConsents(parts: AdoptionParts): Promise<void> {
  let after = '';
  let adopted = 0;
  let unreadable = 0;
  for (;;) {
    const grants = await parts.records.earlierGrants(after, STEP_GRANTS);
    for (const grant of grants) {
      const earlier = await consentOf(grant, parts);
      if (earlier === undefined) unreadable += 1;
      else if (await parts.consents.adopt(earlier)) adopted += 1;
    }
    const last = grants.at(-1);
    if (last === undefined) break;
    after = last.grantHash;
  }
  if (unreadable > 0) {
    parts.log.warn(
      { grants: unreadable },
      'grants of other keys than those in the state directory: their clients need a new consent',
    );
  }
  if (adopted > 0) parts.log.info({ consents: adopted }, 'consents of an earlier version taken over');
}

async function consentOf(
  { grantHash, payload, refreshableUntil }: EarlierGrant,
  parts: AdoptionParts,
): Promise<EarlierConsent | undefined> {
  if (payload === undefined) return undefined;
  const { accountId, clientId, iat, openid } = JSON.parse(payload) as GrantPayload;
  // Before the grant is adopted, after which it is not read again: a migration has given all clients a term.
  await parts.records.keep('Client', secretHash(clientId));
  return {
    grantHash,
    accountId,
    clientId,
    clientName: await nameOf(clientId, parts),
    scopes: (openid?.scope ?? '').split(' ').filter(isScope),
    createdAt: iat * SECOND_MS,
    lastUsedAt: refreshableUntil === undefined ? undefined : refreshableUntil - CONSENT_IDLE_MS,
  };
}

async function nameOf(clientId: string, { records, legacyClient }: AdoptionParts): Promise<string> {
  if (clientId === legacyClient?.id) return LEGACY_CLIENT_NAME;
  const client = await records.find('Client', { idHash: secretHash(clientId) });
  const { client_name: name } = JSON.parse(client?.payload ?? '{}') as { client_name?: string };
  return name ?? UNNAMED_CLIENT;
}
