import { z } from 'zod';
import { CHANNEL_MAX_CHARACTERS } from '../domain/channel.ts';

const Channel = z.string().max(CHANNEL_MAX_CHARACTERS);

/**
 * The ticked boxes of a list of channels. A browser sends one field for each ticked box: an absent value, one text, or
 * a list.
 */
export const TickedChannels = z.union([Channel.transform((only) => [only]), z.array(Channel)]).default([]);
