import { z } from 'zod';
import { defineForm } from './define-form.ts';

/** @spec connector#browser-pages */
export const signOutForm = defineForm({
  path: '/logout',
  schema: z.object({}),
  handle: async (_fields, { req, res, deps }) => {
    await deps.sessions.end(req, res);
    deps.signInCookies.forget(req, res);
    return { goTo: '/login' };
  },
  withoutSession: () => ({ goTo: '/login' }),
});
