import { join } from 'node:path';
import type { Stack } from '../../stack.ts';
import { expectThat } from '../expect.ts';
import { expectUnauthorized } from './authorization.ts';
import {
  AGENT_NAME,
  type ConnectorStep,
  callTool,
  type Found,
  type Means,
  present,
  SISTER_NAME,
  saveBy,
} from './journey.ts';

/** The person looks at who has access, and ends the access of one agent. */
export function revocationSteps(
  { connector }: Stack,
  { browser: { page }, screenshots }: Means,
  found: Found,
): ConnectorStep[] {
  return [
    {
      proves: 'the settings show both agents; one is revoked there, and is out at once',
      run: async () => {
        await page.goto(`${connector.baseUrl}/settings`);
        await page.screenshot({ path: join(screenshots, 'settings-agents.png'), fullPage: true });
        const agents = page.getByRole('region', { name: 'Agents' });
        for (const name of [AGENT_NAME, SISTER_NAME]) {
          expectThat((await agents.getByText(name).count()) > 0, `${name} among the agents`);
        }
        await saveBy(page, agents.getByRole('button', { name: `Revoke ${SISTER_NAME}` }));
        expectThat((await agents.getByText(SISTER_NAME).count()) === 0, 'the revoked agent no longer listed');
        const { client } = present(found.sister);
        await expectUnauthorized(
          client.callTool({ name: 'see_account_information', arguments: {} }),
          'the revoked agent sent to sign in again',
        );
        await callTool(present(found.agent), 'see_account_information');
      },
    },
  ];
}
