import { type Casemapping, fold, USUAL_CASEMAPPING } from './casemapping.ts';

export { CHANNEL_MAX_CHARACTERS, CHANNEL_REST } from '../../../schemas/vocabulary.ts';

/** Signs that begin the names of channels, also of kinds that nobody is granted here; RFC 2811 §2.1. */
const CHANNEL_TYPES = '#&+!';

/** Whether a word of a line names a channel, not a person. */
export const isChannelName = (word: string): boolean => word !== '' && CHANNEL_TYPES.includes(word.charAt(0));

/**
 * The channel of `known` that a person or an agent names, with or without the leading `#`. One that differs in ASCII case alone
 * comes before those that only the network takes for the same.
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

/** A channel's key where no network's casemapping is known, or where it may change: ASCII case never merges two channels. */
export const channelKey = (channel: string): string => fold(channel, 'ascii');

export interface Grant {
  channel: string;
  enabled: boolean;
}
