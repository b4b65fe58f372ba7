import type { Presences } from '../presence/presences.ts';
import type { ServiceContext } from './context.ts';

/** Enables these of the channels that are granted at this moment, and no others; false when the bouncer will follow later. */
export async function enableChannels(
  { store }: ServiceContext,
  presences: Presences,
  accountId: string,
  channels: readonly string[],
): Promise<boolean> {
  await store.accounts.selectChannels(accountId, channels);
  return presences.of(accountId).channelsChanged();
}
