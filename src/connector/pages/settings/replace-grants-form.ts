import { z } from 'zod';
import { TickedChannels } from '../channel-fields.ts';
import { defineForm } from '../define-form.ts';
import { PERSON_PATH, requirePerson } from './require-person.ts';
import { done } from './result-notices.ts';

/** @spec connector#owner-invitation */
export const replaceGrantsForm = defineForm({
  path: PERSON_PATH,
  schema: z.object({ channel: TickedChannels }),
  handle: async ({ channel: channels }, { req, deps, session }) => {
    const { accountId } = await requirePerson(deps, session, req.params['accountId']);
    await deps.services.replaceGrants(accountId, channels);
    return done('granted');
  },
});
