import { channelKey } from '../domain/channel.ts';
import type { Database } from './database.ts';

/**
 * Returns the configured channels in their stored spelling: one in another case keeps it, because grants, selections,
 * cursors and history are found by it. If the configuration has both spellings, they are two channels.
 */
export async function storedSpellings(database: Database, channels: readonly string[]): Promise<string[]> {
  const granted: string[] = await database('grants').distinct('channel').pluck('channel');
  // A channel that was removed from the configuration and comes back has only its history.
  const withHistory: string[] = await database('channel_counts').distinct('channel').pluck('channel');
  const stored = new Set([...granted.sort(), ...withHistory.sort()]);
  const taken = new Set(channels);
  return channels.map((channel) => {
    if (stored.has(channel)) return channel;
    const spelling = [...stored].find((each) => !taken.has(each) && channelKey(each) === channelKey(channel));
    if (spelling !== undefined) taken.add(spelling);
    return spelling ?? channel;
  });
}
