import { z } from 'zod';
import { ConnectorError, type ErrorCode, errorTable } from '../../errors.ts';
import { defineForm } from '../define-form.ts';
import { sentence } from '../sentence.ts';
import { done } from './result-notices.ts';
import { settingsView } from './view.ts';

/**
 * Longest text that is read: far longer than a nick, so that a person who writes too much reads why that is refused.
 */
const WRITTEN_MAX_CHARACTERS = 1_000;

/** Refusals that another nick avoids; they are shown beside the field. */
const OF_THE_NICK: ReadonlySet<ErrorCode> = new Set(['nick_invalid', 'nick_taken']);

/**
 * Changes the nick. If the network does not give it, the page itself shows the nick in use and the reason.
 * @spec connector#human-account
 */
export const changeNickForm = defineForm({
  path: '/settings/nick',
  schema: z.object({ nick: z.string().max(WRITTEN_MAX_CHARACTERS) }),
  handle: async ({ nick: written }, { deps, session }) => {
    try {
      await deps.services.changeNick(session.accountId, written);
      return done('nick');
    } catch (error) {
      if (!(error instanceof ConnectorError) || !OF_THE_NICK.has(error.code)) throw error;
      const refused = { field: 'nick', written, why: sentence(error.message) } as const;
      return { status: errorTable[error.code].status, page: await settingsView(deps, session, { refused }) };
    }
  },
});
