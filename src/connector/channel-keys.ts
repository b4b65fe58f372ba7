import type { ConnectorConfig } from '../../schemas/connector.ts';
import { EXIT_CONFIG, StartError } from '../kernel/errors.ts';
import type { Casemapping } from './domain/casemapping.ts';
import { resolveChannel } from './domain/channel.ts';
import { approvedNetworks } from './domain/network.ts';

export const CHANNEL_KEYS_OPTION = 'bouncer.soju.channelKeysFile';

/** Longer keys are refused everywhere; solanum takes 23 characters, others up to 50. */
const KEY_MAX_CHARACTERS = 64;

/** Keys of channels (mode +k) by network. A reload replaces all of them; joining relies on it. */
export class ChannelKeys {
  readonly #keys: ReadonlyMap<string, ReadonlyMap<string, string>>;

  constructor(keys: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map()) {
    this.#keys = keys;
  }

  /** Undefined for a channel without a key. @param casemapping casemapping of the network */
  of(network: string, channel: string, casemapping: Casemapping | undefined): string | undefined {
    const keys = this.#keys.get(network);
    const known = keys === undefined ? undefined : resolveChannel(channel, [...keys.keys()], casemapping);
    return known === undefined ? undefined : keys?.get(known);
  }
}

/**
 * Reads lines of `NETWORK #channel KEY`. The network must be configured and the channel be one of `ircChannels`, so
 * that a mistake shows before IRC refuses it.
 * @throws StartError which names a line, but not its content
 */
export function parseChannelKeys(text: string, { bouncer, ircChannels }: ConnectorConfig): ChannelKeys {
  const names = approvedNetworks(bouncer.soju).map(({ name }) => name);
  const keys = new Map(names.map((name) => [name, new Map<string, string>()]));
  text.split('\n').forEach((line, index) => {
    const words = line.trim().split(/\s+/);
    const [network = '', channel = '', key = ''] = words;
    if (network === '') return;
    const refuse = (expected: string): never => {
      throw new StartError(`${CHANNEL_KEYS_OPTION}: expected ${expected} in line ${index + 1} of the file`, {
        exitStatus: EXIT_CONFIG,
      });
    };
    const ofNetwork = keys.get(network) ?? refuse('the name of a configured network as the first word');
    const known = resolveChannel(channel, ircChannels) ?? refuse('a channel of ircChannels as the second word');
    // A comma would separate two keys, and a colon would begin a text.
    if (words.length !== 3 || key.length > KEY_MAX_CHARACTERS || !/^[!-~]+$/.test(key) || /^:|,/.test(key)) {
      refuse(`a key of 1 to ${KEY_MAX_CHARACTERS} visible ASCII characters without a comma as the third and last word`);
    }
    if (ofNetwork.has(known)) refuse('a channel that no earlier line has');
    ofNetwork.set(known, key);
  });
  return new ChannelKeys(keys);
}
