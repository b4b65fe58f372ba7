import { z } from 'zod';
import { defineRoute } from './define-route.ts';

const Channels = z.array(z.string()).describe('Channel names with leading #.');

/** @spec connector#get-v1status-result */
export const getStatus = defineRoute({
  operationId: 'getStatus',
  summary: 'Tells whether the account is connected to its IRC network, and in which channels it is.',
  method: 'get',
  path: '/v1/status',
  scope: 'irc:read',
  status: 200,
  response: {
    name: 'Status',
    schema: z.object({
      connected: z.boolean(),
      joined_channels: Channels,
      enabled_channels: Channels,
      logged_in_as: z.string().nullable().describe('The account at the IRC network; null where it names none.'),
    }),
  },
  refusals: ['bouncer_unreachable'],
  handle: async (_request, { caller, services }) => {
    const { isConnected, joinedChannels, enabledChannels, loggedInAs } = await services.connectionStatus(caller);
    return {
      ...{ connected: isConnected, joined_channels: joinedChannels, enabled_channels: enabledChannels },
      logged_in_as: loggedInAs,
    };
  },
});
