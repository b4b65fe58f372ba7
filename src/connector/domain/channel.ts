export { CHANNEL_MAX_CHARACTERS, CHANNEL_REST } from '../../../schemas/vocabulary.ts';

/** Signs that begin the names of channels, also of kinds that nobody is granted here; RFC 2811 §2.1. */
const CHANNEL_TYPES = '#&+!';

/** Whether a word of a line names a channel, not a person. */
export const isChannelName = (word: string): boolean => word !== '' && CHANNEL_TYPES.includes(word.charAt(0));

/** The channel of `known` that a person or an agent names, with or without the leading `#`. */
export function resolveChannel(written: string, known: readonly string[]): string | undefined {
  const key = channelKey(written.startsWith('#') ? written : `#${written}`);
  return known.find((channel) => channelKey(channel) === key);
}

/** Channels compare in ASCII case, whatever the network's casemapping: the stricter rule never merges two channels. */
export function channelKey(channel: string): string {
  return channel.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export interface Grant {
  channel: string;
  enabled: boolean;
}
