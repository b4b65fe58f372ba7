import { join } from 'node:path';
import type { Stack } from '../../stack.ts';
import { expectThat } from '../expect.ts';
import type { ConnectorStep, Means } from './journey.ts';

/** What the owner does in a browser. */
export function peopleSteps(
  { connector, owner, channels }: Stack,
  { browser: { page }, screenshots }: Means,
): ConnectorStep[] {
  return [
    {
      proves: 'the owner signs in through the identity provider',
      run: async () => {
        await page.goto(`${connector.baseUrl}/login`);
        await page.screenshot({ path: join(screenshots, 'sign-in.png') });
        await page.getByRole('link', { name: /continue/i }).click();
        await page.locator('input[name=login]').fill(owner);
        await page.keyboard.press('Enter');
        await page.waitForURL(`${connector.baseUrl}/settings`);
      },
    },
    {
      proves: 'the owner enables a channel in the settings',
      run: async () => {
        await page.getByRole('checkbox', { name: channels[0] ?? '' }).check();
        await page.getByRole('button', { name: /save/i }).click();
        await page.waitForLoadState();
        expectThat(
          await page.getByRole('checkbox', { name: channels[0] ?? '' }).isChecked(),
          'the channel stays enabled',
        );
        await page.screenshot({ path: join(screenshots, 'settings.png'), fullPage: true });
      },
    },
  ];
}
