import type { ServiceContext } from './context.ts';

/**
 * Ends all that a client may do for the account, and its sessions: a person takes back the access of an agent, not one of the
 * times at which they gave it.
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
