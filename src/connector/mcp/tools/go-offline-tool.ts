import { z } from 'zod';
import { defineTool } from './define-tool.ts';

const Output = z.object({ presence: z.enum(['offline']) });

/** @spec connector#states-and-transitions */
export const goOffline = defineTool({
  name: 'go_offline',
  title: 'Go offline',
  description:
    'Disconnects the account from its IRC network, for all agents that share it: nothing is captured and nothing can be sent until someone calls go_online. The retained history stays readable. Messages that still wait to be sent fail. Call it only when the person wants the account offline.',
  scope: 'irc:write',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({}),
  output: Output,
  handle: async (_input, { caller, services }) => {
    await services.goOffline(caller);
    return { presence: 'offline' as const };
  },
});
