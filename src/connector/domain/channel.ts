import { type Casemapping, fold, USUAL_CASEMAPPING } from './casemapping.ts';

export { CHANNEL_MAX_CHARACTERS, CHANNEL_REST } from '../../../schemas/vocabulary.ts';

/** First characters of channel names, also of kinds that are never granted here; RFC 2811 §2.1. */
const CHANNEL_TYPES = '#&+!';

/** Whether a word of a line names a channel, not a person. */
export const isChannelName = (word: string): boolean => word !== '' && CHANNEL_TYPES.includes(word.charAt(0));

/**
 * Returns the channel of `known` that a person or an agent names, with or without the leading `#`. A channel that
 * differs only in ASCII case comes before those that are equal only by the network's casemapping.
 */
export function resolveChannel(
  written: string,
  known: readonly string[],
  casemapping: Casemapping = USUAL_CASEMAPPING,
): string | undefined {
  const name = written.startsWith('#') ? written : `#${written}`;
  const key = channelKey(name);
  const folded = fold(name, casemapping);
  return (
    known.find((channel) => channelKey(channel) === key) ??
    known.find((channel) => fold(channel, casemapping) === folded)
  );
}

/** A channel's key where the network's casemapping is unknown or may change: ASCII case never merges two channels. */
export const channelKey = (channel: string): string => fold(channel, 'ascii');

export interface Grant {
  channel: string;
  enabled: boolean;
}
