import type { ServiceContext } from './context.ts';

/** Owners are named in the configuration; everybody else needs an invitation. */
export function isOwner({ settings }: Pick<ServiceContext, 'settings'>, login: string): boolean {
  return settings.ownerLogins.includes(login);
}
