import { z } from 'zod';
import { LOGIN_MAX_CHARACTERS, parseLogin } from '../../domain/login-name.ts';
import { ConnectorError, type ErrorCode, errorTable } from '../../errors.ts';
import { TickedChannels } from '../channel-fields.ts';
import { defineForm, type Submission } from '../define-form.ts';
import type { Outcome } from '../define-page.ts';
import { sentence } from '../sentence.ts';
import { done } from './result-notices.ts';
import { settingsView } from './view.ts';

/**
 * Longest text that is read: far longer than a login, so that an owner who writes too much reads why that is refused.
 */
const WRITTEN_MAX_CHARACTERS = 1_000;

const NO_LOGIN = `This can’t be a login. One has at most ${LOGIN_MAX_CHARACTERS} characters, all of them visible.`;

/** Refusals that are shown beside the field; all others are a page of their own. */
const OF_THE_LOGIN: ReadonlySet<ErrorCode> = new Set(['user_limit_reached', 'invitation_invalid']);

/** Invites a login, or replaces the grants of a known one. @spec connector#owner-invitation */
export const invitePersonForm = defineForm({
  path: '/settings/people',
  schema: z.object({ login: z.string().max(WRITTEN_MAX_CHARACTERS), channel: TickedChannels }),
  handle: async ({ login: written, channel: channels }, submission) => {
    const { services } = submission.deps;
    await services.requireOwner(submission.session.accountId);
    const login = parseLogin(written);
    if (login === undefined) return refuse(submission, written, 422, NO_LOGIN);
    try {
      await services.invite({ login, channels });
      return done('invited');
    } catch (error) {
      if (!(error instanceof ConnectorError) || !OF_THE_LOGIN.has(error.code)) throw error;
      return refuse(submission, login, errorTable[error.code].status, sentence(error.message));
    }
  },
});

async function refuse({ deps, session }: Submission, written: string, status: number, why: string): Promise<Outcome> {
  return { status, page: await settingsView(deps, session, { refused: { field: 'login', written, why } }) };
}
