import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Stack } from '../../stack.ts';
import { expectThat } from '../expect.ts';
import { type ConnectorStep, type Means, saveBy } from './journey.ts';

/** Login of a person whom the owner invites. */
const GUEST = 'barbara';

/**
 * Signs in through the development identity provider; returns the path of the page to which the connector then
 * redirects.
 */
async function signIn(page: Page, baseUrl: string, login: string): Promise<string> {
  await page.goto(`${baseUrl}/login`);
  await page.getByRole('link', { name: /continue/i }).click();
  await page.locator('input[name=login]').fill(login);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.href.startsWith(baseUrl));
  return new URL(page.url()).pathname;
}

/** Steps of two people in a browser: the owner, and a guest whom the owner invites. */
export function peopleSteps({ connector, owner, channels }: Stack, { browser, screenshots }: Means): ConnectorStep[] {
  const { page } = browser;
  const [first = '', second = ''] = channels;
  return [
    {
      proves: 'the owner signs in through the identity provider',
      run: async () => {
        await page.goto(`${connector.baseUrl}/login`);
        await page.screenshot({ path: join(screenshots, 'sign-in.png') });
        expectThat((await signIn(page, connector.baseUrl, owner)) === '/settings', 'the settings after the sign-in');
      },
    },
    {
      proves: 'the owner enables a channel in the settings',
      run: async () => {
        const channel = page.getByRole('region', { name: 'Channels' }).getByRole('checkbox', { name: first });
        await channel.check();
        await saveBy(page, page.getByRole('button', { name: 'Save channels' }));
        expectThat(await channel.isChecked(), 'the channel stays enabled');
        await page.screenshot({ path: join(screenshots, 'settings.png'), fullPage: true });
      },
    },
    {
      proves: 'somebody who is not invited is turned away, and comes in once the owner has invited them',
      run: async () => {
        const guest = await browser.openOther();
        const turnedAway = await signIn(guest, connector.baseUrl, GUEST);
        expectThat(turnedAway !== '/settings', 'nobody in the settings without an invitation');
        expectThat((await guest.textContent('body'))?.includes('invite') === true, 'a page that says who can invite');
        await page.goto(`${connector.baseUrl}/settings`);
        const people = page.getByRole('region', { name: 'People with access' });
        await people.getByText('Invite somebody').click();
        await people.getByRole('textbox', { name: 'Login' }).fill(GUEST);
        await people.getByRole('checkbox', { name: first }).setChecked(false);
        await people.getByRole('checkbox', { name: second }).setChecked(true);
        await saveBy(page, people.getByRole('button', { name: 'Invite', exact: true }));
        expectThat((await signIn(guest, connector.baseUrl, GUEST)) === '/settings', 'the settings, once invited');
        const granted = guest.getByRole('region', { name: 'Channels' }).getByRole('checkbox');
        expectThat((await granted.count()) === 1, 'the one channel that was granted');
        expectThat(!(await granted.isChecked()), 'a channel that is off until its person enables it');
        await guest.screenshot({ path: join(screenshots, 'settings-invited.png'), fullPage: true });
      },
    },
  ];
}
