import { z } from 'zod';
import { CHANNEL_MAX_CHARACTERS } from '../domain/channel.ts';

const Channel = z.string().max(CHANNEL_MAX_CHARACTERS);

/** The ticked boxes of a list of channels: a browser sends one field for each, so none, one text, or a list. */
export const TickedChannels = z.union([Channel.transform((only) => [only]), z.array(Channel)]).default([]);
