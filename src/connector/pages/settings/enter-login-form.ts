import { z } from 'zod';
import { ConnectorError, type ErrorCode, errorTable } from '../../errors.ts';
import { defineForm } from '../define-form.ts';
import { sentence } from '../sentence.ts';
import { done } from './result-notices.ts';
import { settingsView } from './view.ts';

/**
 * Longest text that is read: far longer than a name or a password, so that a person who writes too much reads why that
 * is refused.
 */
const WRITTEN_MAX_CHARACTERS = 1_000;

/** Fields with the network that the form names: the login is sent only there. */
export const seenNetwork = {
  network: z.string().max(WRITTEN_MAX_CHARACTERS),
  address: z.string().max(WRITTEN_MAX_CHARACTERS),
};

/** Refusals that are shown beside the fields; all others are a page of their own. */
const OF_THE_FORM: ReadonlySet<ErrorCode> = new Set(['login_invalid', 'network_changed', 'rate_limited']);

/**
 * Stores name and password of an account at the IRC network, and tries them at once. No page shows the password again.
 */
export const enterLoginForm = defineForm({
  path: '/settings/login',
  schema: z.object({
    ...seenNetwork,
    account: z.string().max(WRITTEN_MAX_CHARACTERS),
    password: z.string().max(WRITTEN_MAX_CHARACTERS),
  }),
  handle: async ({ network: name, address, account: written, password }, { deps, session }) => {
    try {
      await deps.services.enterNetworkLogin(session.accountId, { seen: { name, address }, name: written, password });
      return done('login');
    } catch (error) {
      if (!(error instanceof ConnectorError) || !OF_THE_FORM.has(error.code)) throw error;
      const refused = { field: 'account', written, why: sentence(error.message) } as const;
      return { status: errorTable[error.code].status, page: await settingsView(deps, session, { refused }) };
    }
  },
});
