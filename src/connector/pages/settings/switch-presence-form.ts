import { z } from 'zod';
import { defineForm } from '../define-form.ts';
import { done } from './result-notices.ts';

/** Takes the person online or offline, as an agent with the write scope can. */
export const switchPresenceForm = defineForm({
  path: '/settings/presence',
  schema: z.object({ presence: z.enum(['online', 'offline']) }),
  handle: async ({ presence }, { deps: { services }, session: { accountId } }) => {
    if (presence === 'online') await services.goOnline({ accountId });
    else await services.goOffline({ accountId });
    return done(presence);
  },
});
