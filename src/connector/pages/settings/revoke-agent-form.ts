import { z } from 'zod';
import { defineForm } from '../define-form.ts';
import { done } from './result-notices.ts';

const ID_MAX_CHARACTERS = 128;

/** Ends a client's access; succeeds, too, if it has ended meanwhile. @spec connector#browser-pages */
export const revokeAgentForm = defineForm({
  path: '/settings/agents/revoke',
  schema: z.object({ consent: z.string().min(1).max(ID_MAX_CHARACTERS) }),
  handle: async ({ consent }, { deps, session }) => {
    await deps.services.revokeAgent(session.accountId, consent);
    return done('agent');
  },
});
