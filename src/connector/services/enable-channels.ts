import type { ServiceContext } from './context.ts';

/** Enables these of the channels that are granted at this moment, and no others; false when the bouncer will follow later. */
export async function enableChannels(
  { store, presence }: ServiceContext,
  accountId: string,
  channels: readonly string[],
): Promise<boolean> {
  await store.accounts.selectChannels(accountId, channels);
  return presence.channelsChanged(accountId);
}
