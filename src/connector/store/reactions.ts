import type { PlacedEntry } from '../ports/history.ts';
import { countStored } from './counts.ts';
import { queueMentions } from './mention-reaction.ts';
import type { Reaction, Stored } from './stored.ts';

/** What the program does about new entries, in this order. */
export const reactions: readonly Reaction[] = [countEntries, queueMentions];

/** Tells all reactions. */
export async function react(stored: Stored): Promise<void> {
  if (stored.entries.length === 0) return;
  for (const reaction of reactions) await reaction(stored);
}

/** Keeps the running numbers of the channels. */
async function countEntries({ transaction, accountId, entries }: Stored): Promise<void> {
  for (const channel of new Set(entries.map((entry) => entry.channel))) {
    const inChannel = entries.filter((entry) => entry.channel === channel);
    const receivedRows = inChannel.filter(isReceived).map(({ row }) => row);
    const counted = { count: inChannel.length, receivedRow: Math.max(0, ...receivedRows) };
    await countStored(transaction, { accountId, channel }, counted);
  }
}

/** Told by somebody else: not made by this program, as gaps and sends without an echo are. */
export const isReceived = ({ kind, timestampSource }: Pick<PlacedEntry, 'kind' | 'timestampSource'>): boolean =>
  kind !== 'gap' && timestampSource !== 'local';
