import type { ServiceContext } from './context.ts';

/**
 * Computes the keys of all logins anew after a change of the identity provider, which decides which logins are the
 * same.
 */
export async function keyLogins({ store, log }: ServiceContext): Promise<void> {
  const accounts = await store.accounts.keyLogins();
  if (accounts.length === 0) return;
  log.warn(
    { accounts },
    'these accounts have lost their login: the identity provider takes it for that of an older one',
  );
}
