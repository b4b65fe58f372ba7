import { waitFor } from '../../../stack/wait-for.ts';
import { expectThat } from '../expect.ts';
import { type ConnectorStep, callTool, type Found, present } from './journey.ts';

/** The last steps, which concern all agents. */
export function leavingSteps(found: Found): ConnectorStep[] {
  return [
    {
      proves: 'going offline disconnects the account for all its agents',
      run: async () => {
        const { nick } = await callTool(present(found.sister), 'see_account_information');
        await callTool(present(found.agent), 'go_offline');
        await waitFor('others see the nick leave', () =>
          present(found.irc).lines.some((line) => line.startsWith(`:${nick}!`) && line.includes(' QUIT')),
        );
        const { presence } = await callTool(present(found.sister), 'see_account_information');
        expectThat(presence === 'offline', `offline for the other agent, too, got ${presence}`);
      },
    },
  ];
}
