import type { ServiceContext } from './context.ts';

/**
 * Stores a person's own name for a client.
 * @param consentId any of its consents
 * @param name a name that `parseAgentName` returned; null for the client's own name
 * @returns false when the account has no such consent
 */
export async function renameAgent(
  { consents, log }: ServiceContext,
  accountId: string,
  consentId: string,
  name: string | null,
): Promise<boolean> {
  const isRenamed = await consents.rename(accountId, consentId, name);
  if (isRenamed) log.info({ account: accountId, consent: consentId }, 'agent renamed');
  return isRenamed;
}
