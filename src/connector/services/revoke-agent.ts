import type { ServiceContext } from './context.ts';

/**
 * Ends all consents and sessions of a client for the account: a person revokes the access of an agent, not a single
 * consent.
 * @param consentId any of its consents
 * @returns false when the account has no such consent
 */
export async function revokeAgent(context: ServiceContext, accountId: string, consentId: string): Promise<boolean> {
  const { consents, store, log } = context;
  const revoked = (await consents.ofAccount(accountId)).find((consent) => consent.consentId === consentId);
  if (revoked === undefined) return false;
  await store.removals.closeClient(accountId, revoked.clientId);
  log.info({ account: accountId, consent: consentId }, 'access of an agent revoked');
  return true;
}
