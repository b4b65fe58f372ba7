import { z } from 'zod';
import { parseAgentName } from '../../domain/agent-name.ts';
import { defineForm } from '../define-form.ts';
import { NO_AGENT_NAME } from './refused-text.ts';
import { done } from './result-notices.ts';
import { settingsView } from './view.ts';

const ID_MAX_CHARACTERS = 128;
/**
 * Longest text that is read: far longer than a name, so that a person who writes too much reads why that is refused.
 */
const WRITTEN_MAX_CHARACTERS = 1_000;

/** Stores the person's name for an agent; an empty one restores the agent's own. */
export const renameAgentForm = defineForm({
  path: '/settings/agents/rename',
  schema: z.object({
    consent: z.string().min(1).max(ID_MAX_CHARACTERS),
    name: z.string().max(WRITTEN_MAX_CHARACTERS),
  }),
  handle: async ({ consent, name: written }, { deps, session }) => {
    const name = written.trim() === '' ? null : parseAgentName(written);
    if (name === undefined) {
      const refused = { field: 'agent', of: consent, written, why: NO_AGENT_NAME } as const;
      return { status: 422, page: await settingsView(deps, session, { refused }) };
    }
    const isRenamed = await deps.services.renameAgent(session.accountId, consent, name);
    return done(isRenamed ? 'agent-renamed' : 'agent');
  },
});
