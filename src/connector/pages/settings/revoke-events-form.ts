import { z } from 'zod';
import { defineForm } from '../define-form.ts';
import { done } from './result-notices.ts';

const ID_MAX_CHARACTERS = 256;

/** Ends a subscription; succeeds, too, if it has ended meanwhile. @spec connector#events */
export const revokeEventsForm = defineForm({
  path: '/settings/events/revoke',
  schema: z.object({ subscription: z.string().min(1).max(ID_MAX_CHARACTERS) }),
  handle: async ({ subscription }, { deps, session }) => {
    await deps.services.endSubscription(session.accountId, subscription);
    return done('events');
  },
});
