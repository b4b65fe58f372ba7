import { z } from 'zod';
import { ConnectorError } from '../../errors.ts';
import { defineForm } from '../define-form.ts';
import { PERSON_PATH, requirePerson } from './require-person.ts';
import { done } from './result-notices.ts';

/** Invites the person who has a login now; the account of the earlier holder stays theirs, without the login. */
export const passOnLoginForm = defineForm({
  path: `${PERSON_PATH}/login`,
  schema: z.object({}),
  handle: async (_fields, { req, deps, session }) => {
    const { login, granted } = await requirePerson(deps, session, req.params['accountId']);
    if (login === null) throw new ConnectorError('account_unknown', 'this person has another login by now');
    await deps.services.invite({ login, channels: granted, isNewPerson: true });
    return done('invited');
  },
});
