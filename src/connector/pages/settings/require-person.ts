import type { BrowserSession } from '../../ports/store.ts';
import type { PersonAccess } from '../../services/list-people.ts';
import type { PageDeps } from '../page-deps.ts';

/** Paths of the pages and forms about one person. */
export const PERSON_PATH = '/settings/people/:accountId';
export const personHref = ({ accountId }: PersonAccess, part = ''): string => `/settings/people/${accountId}${part}`;

/**
 * Returns the person that an owner's request names.
 * @throws ConnectorError not_owner, account_unknown
 */
export async function requirePerson(
  { services }: PageDeps,
  session: BrowserSession,
  accountId: unknown,
): Promise<PersonAccess> {
  await services.requireOwner(session.accountId);
  return services.person(String(accountId));
}

/** The name that the owner's pages show. */
export const nameOf = ({ login, nick }: PersonAccess): string => login ?? nick;
