import type { ServiceContext } from './context.ts';

/** After a change of the identity provider: logins are the same if the provider says so. */
export async function keyLogins({ store, log }: ServiceContext): Promise<void> {
  const accounts = await store.accounts.keyLogins();
  if (accounts.length === 0) return;
  log.warn(
    { accounts },
    'these accounts have lost their login: the identity provider takes it for that of an older one',
  );
}
