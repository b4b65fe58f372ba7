import type { ServiceContext } from './context.ts';

/**
 * Enables those of the channels that are granted at this moment, and disables all others. Returns false if the bouncer
 * will follow later.
 */
export async function enableChannels(
  { store, presence }: ServiceContext,
  accountId: string,
  channels: readonly string[],
): Promise<boolean> {
  await store.accounts.selectChannels(accountId, channels);
  return presence.channelsChanged(accountId);
}
