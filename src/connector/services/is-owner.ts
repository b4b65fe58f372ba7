import type { Account } from '../domain/account.ts';
import type { ServiceContext } from './context.ts';

type Named = Pick<Account, 'login' | 'person'>;

/**
 * Owners are named in the configuration, by the login or the subject that the identity provider gives them; all other
 * people need an invitation. A subject counts at the configured provider only: at another one it may be another
 * person's.
 */
export function isOwner(
  { settings: { ownerLogins, ownerSubjects, issuer, loginKey } }: Pick<ServiceContext, 'settings'>,
  { login, person }: Named,
): boolean {
  if (person?.issuer === issuer && ownerSubjects.includes(person.subject)) return true;
  return login !== null && ownerLogins.some((owner) => loginKey(owner) === loginKey(login));
}

/** Whether the login alone makes its person an owner. */
export const isOwnerLogin = (context: Pick<ServiceContext, 'settings'>, login: string | null): boolean =>
  isOwner(context, { login, person: null });
