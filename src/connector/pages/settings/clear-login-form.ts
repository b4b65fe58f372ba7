import { z } from 'zod';
import { defineForm } from '../define-form.ts';
import { done } from './result-notices.ts';
import { LoginId } from './try-login-form.ts';

/** Clears the login of a network; an account that is logged in with it is connected anew without it. */
export const clearLoginForm = defineForm({
  path: '/settings/login/clear',
  schema: z.object({ login: LoginId }),
  handle: async ({ login }, { deps, session }) =>
    done((await deps.services.clearNetworkLogin(session.accountId, login)) ? 'login-cleared' : 'login-cleared-later'),
});
