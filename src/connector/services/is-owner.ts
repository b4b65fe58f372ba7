import type { ServiceContext } from './context.ts';

/** Owners are named in the configuration, by the login that the identity provider gives them; everybody else needs an invitation. */
export function isOwner(
  { settings: { ownerLogins, loginKey } }: Pick<ServiceContext, 'settings'>,
  login: string | null,
): boolean {
  return login !== null && ownerLogins.some((owner) => loginKey(owner) === loginKey(login));
}
