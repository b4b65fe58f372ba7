import { z } from 'zod';
import { defineForm } from '../define-form.ts';
import { done } from './result-notices.ts';

const NAME_MAX_CHARACTERS = 255;

/** Chooses among the networks that the owner approved. @spec connector#human-account */
export const chooseNetworkForm = defineForm({
  path: '/settings/network',
  schema: z.object({ network: z.string().max(NAME_MAX_CHARACTERS) }),
  handle: async ({ network }, { deps, session }) =>
    done((await deps.services.chooseNetwork(session.accountId, network)) ? 'network' : 'network-later'),
});
