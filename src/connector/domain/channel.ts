/** Longest channel name with its `#`; RFC 2812 §1.3 has 50, some networks more. */
export const CHANNEL_MAX_CHARACTERS = 64;

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
