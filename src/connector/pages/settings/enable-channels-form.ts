import { z } from 'zod';
import { TickedChannels } from '../channel-fields.ts';
import { defineForm } from '../define-form.ts';
import { done, SETTINGS_PATH } from './result-notices.ts';

/** Sets the channels that agents may use. @spec connector#browser-pages */
export const enableChannelsForm = defineForm({
  path: SETTINGS_PATH,
  schema: z.object({ channel: TickedChannels }),
  handle: async ({ channel: channels }, { deps, session }) =>
    done((await deps.services.enableChannels(session.accountId, channels)) ? 'channels' : 'channels-later'),
});
