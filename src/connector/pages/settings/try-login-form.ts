import { z } from 'zod';
import { defineForm } from '../define-form.ts';
import { done } from './result-notices.ts';

const ID_MAX_CHARACTERS = 64;

export const LoginId = z.string().min(1).max(ID_MAX_CHARACTERS);

/** Tries the stored login once more. */
export const tryLoginForm = defineForm({
  path: '/settings/login/try',
  schema: z.object({ login: LoginId }),
  handle: async ({ login }, { deps, session }) => {
    await deps.services.tryNetworkLogin(session.accountId, login);
    return done('login');
  },
});
