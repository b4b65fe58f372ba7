import type { PlacedEntry } from '../ports/history-store.ts';
import { countStored } from './counts.ts';
import { queueMentions } from './mention-reaction.ts';
import type { Reaction, Stored } from './stored.ts';

/** Reactions to new entries, in this order. */
export const reactions: readonly Reaction[] = [countEntries, queueMentions];

/** Runs all reactions. */
export async function react(stored: Stored): Promise<void> {
  if (stored.entries.length === 0) return;
  for (const reaction of reactions) await reaction(stored);
}

/** Updates the running numbers of the channels. */
async function countEntries({ transaction, accountId, entries }: Stored): Promise<void> {
  for (const channel of new Set(entries.map((entry) => entry.channel))) {
    const inChannel = entries.filter((entry) => entry.channel === channel);
    const receivedRows = inChannel.filter(isReceived).map(({ row }) => row);
    const counted = { count: inChannel.length, receivedRow: Math.max(0, ...receivedRows) };
    await countStored(transaction, { accountId, channel }, counted);
  }
}

/** Whether an entry was received from IRC: gaps and sends without an echo are made by this program. */
export const isReceived = ({ kind, timestampSource }: Pick<PlacedEntry, 'kind' | 'timestampSource'>): boolean =>
  kind !== 'gap' && timestampSource !== 'local';
