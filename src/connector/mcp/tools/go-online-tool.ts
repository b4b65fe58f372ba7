import { z } from 'zod';
import { defineTool } from './define-tool.ts';

const Output = z.object({
  presence: z.enum(['online']),
  upstreamConnected: z
    .boolean()
    .nullable()
    .describe('True when the IRC network is connected already; false or null while the bouncer still tries.'),
});

/** @spec connector#states-and-transitions */
export const goOnline = defineTool({
  name: 'go_online',
  title: 'Go online',
  description:
    "Connects the account to its IRC network, for all agents that share it, and captures what is said in its enabled channels from then on. Use it when presence is offline. When upstreamConnected isn't true yet, look again with see_account_information after some seconds.",
  scope: 'irc:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({}),
  output: Output,
  handle: async (_input, { caller, services }) => ({
    presence: 'online' as const,
    upstreamConnected: await services.goOnline(caller),
  }),
});
