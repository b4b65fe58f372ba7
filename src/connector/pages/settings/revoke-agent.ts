import { z } from 'zod';
import { defineForm } from '../define-form.ts';
import { done } from './notices.ts';

const ID_MAX_CHARACTERS = 128;

/** Ends what a client may do; one that has ended meanwhile is ended just as well. @spec connector#browser-pages */
export const revokeAgentForm = defineForm({
  path: '/settings/agents/revoke',
  schema: z.object({ consent: z.string().min(1).max(ID_MAX_CHARACTERS) }),
  handle: async ({ consent }, { deps, session }) => {
    await deps.services.revokeAgent(session.accountId, consent);
    return done('agent');
  },
});
