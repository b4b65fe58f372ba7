import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { launchBrowser } from '../../../scripts/stack/browser.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { messagesOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { subscriberOf } from '../../harness/subscriber.ts';
import { startReceiver } from '../../harness/webhook-receiver.ts';

const test = testWithStack({ config: { events: { allowCallbackHosts: ['127.0.0.1'] } } });

let chrome: Browser;
let bob: IrcClient;
let owner: Page;
let grace: Page;
let agent: Agent;

test.beforeAll(async () => {
  [chrome, bob] = await Promise.all([
    launchBrowser({ folder: join(stack.folder, 'browser') }),
    joinIrc(stack.ergo, 'bob', ['#room']),
  ]);
  owner = await personAt('ada');
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  bob?.[Symbol.dispose]();
  await chrome?.close();
});

const part = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

test('an owner invites a person in the settings, who then signs in and chooses channels and a nick', async () => {
  verifies('connector.service.6', 'connector.endpoint.GET-settings', 'connector.information.settingsUrl');
  await owner.getByText('Invite somebody').click();
  await owner.getByLabel('Login at the identity provider').fill('grace');
  await part(owner, 'People with access').getByRole('checkbox', { name: '#third' }).uncheck();
  await press(owner, 'Invite');
  expect(await part(owner, 'People with access').getByRole('status').textContent()).toContain('Invited');

  grace = await personAt('grace');
  expect(await part(grace, 'Channels').getByRole('checkbox').count()).toBe(2);
  await grace.getByRole('checkbox', { name: '#room' }).check();
  await press(grace, 'Save channels');
  await grace.getByText('Change nick').click();
  await grace.getByLabel('New nick').fill('gracie');
  await press(grace, 'Save nick');

  expect(await part(grace, 'On IRC').textContent()).toContain('gracie');
  await owner.reload();
  expect(await part(owner, 'People with access').textContent()).toMatch(
    /grace\s+Nick gracie\. Granted: #Ops, #room\. Enabled: #room\./,
  );
});

test('an agent that the person allowed is listed with what it may do and its sessions', async () => {
  verifies('connector.endpoint.GET-settings');
  agent = await connectAgent(stack, 'grace');
  await agent.call('go_online');
  await agent.call('see_account_information');
  await waitFor('the account is in the channel', async () => {
    bob.send('NAMES', '#room');
    return bob.lines.some(({ command, params }) => command === '353' && params.at(-1)?.includes('gracie'));
  });

  await grace.goto(`${stack.baseUrl}/settings`);

  const agents = await part(grace, 'Agents').textContent();
  expect(agents).toContain('Agent of the tests irc:read irc:write');
  expect(agents).toContain('One session, last used');
  expect(await part(grace, 'On IRC').textContent()).toMatch(/State\s*online/);
});

test('the subscriptions that wake an agent are listed with their state, and end when the person revokes them', async () => {
  verifies('connector.event.persistence', 'connector.endpoint.GET-settings');
  await using receiver = await startReceiver();
  const subscriber = subscriberOf(stack, agent);
  await subscriber.subscribed({ url: receiver.url, filters: { channel: '#room', sender: 'bob' } });
  bob.say('#room', 'gracie: wake up');
  await waitFor('the mention arrives', () => receiver.events().length > 0);

  const shown = async () => {
    await grace.goto(`${stack.baseUrl}/settings`);
    return (await part(grace, 'Events').textContent()) ?? '';
  };
  await waitFor('the delivery is settled', async () => (await shown()).includes('the last mention was accepted'));
  expect(await shown()).toContain('Mentions of you in #room, written by bob');
  expect(await shown()).toContain(`Sent to 127.0.0.1:${receiver.port}`);

  await press(grace, 'Revoke events of Agent of the tests');

  expect(await part(grace, 'Events').textContent()).toContain('No agent is woken when somebody mentions you.');
  expect(await agent.call('see_account_information')).toMatchObject({ mentionEvents: { state: 'not_subscribed' } });
});

test('a person takes their history along, and has it deleted after a second question', async () => {
  bob.say('#room', 'to be kept, then deleted');
  await waitFor('the line is captured', async () => (await messagesOf(agent)).length > 0);

  const [download] = await Promise.all([
    grace.waitForEvent('download'),
    grace.getByRole('link', { name: 'Download history' }).click(),
  ]);
  const file = await readFile(await download.path(), 'utf8');
  const entries = file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { sender: string; text: string });
  expect(download.suggestedFilename()).toBe('homeport-history.jsonl');
  expect(entries.filter(({ sender }) => sender === 'bob').map(({ text }) => text)).toContain(
    'to be kept, then deleted',
  );

  await grace.getByRole('link', { name: 'Delete history…' }).click();
  await grace.getByRole('link', { name: 'Keep it' }).click();
  expect(await messagesOf(agent)).not.toEqual([]);
  await grace.getByRole('link', { name: 'Delete history…' }).click();
  await press(grace, 'Delete history');

  await waitFor('the history is deleted', async () => {
    const told = await part(grace, 'History').getByRole('status').textContent();
    if (told === 'Your history is deleted.') return true;
    expect(told).toContain('is being deleted');
    await grace.reload();
    return false;
  });
  expect(await messagesOf(agent)).toEqual([]);
});

test('an agent that the person revokes has no access from that moment on', async () => {
  verifies('connector.endpoint.GET-settings');
  const asAgent = () =>
    fetch(`${stack.baseUrl}/v1/status`, { headers: { authorization: `Bearer ${agent.accessToken}` } });
  expect((await asAgent()).status).toBe(200);

  await press(grace, 'Revoke Agent of the tests');

  expect((await asAgent()).status).toBe(401);
  expect(await part(grace, 'Agents').textContent()).toContain('No agent has access.');
});

test('an owner removes a person, who is signed out and not let in again', async () => {
  await owner.goto(`${stack.baseUrl}/settings`);
  await owner.getByRole('link', { name: 'Change grace' }).click();
  await owner.getByRole('link', { name: 'Remove grace…' }).click();
  await press(owner, 'Remove grace');

  expect(await part(owner, 'People with access').textContent()).not.toContain('grace');
  await grace.goto(`${stack.baseUrl}/settings`);
  expect(await grace.getByLabel('Login').count()).toBe(1);
  await grace.getByLabel('Login').fill('grace');
  await grace.getByRole('button').click();
  await grace.getByRole('heading', { name: 'No access yet' }).waitFor();
});

test('a person takes themself online and offline in the settings, without an agent', async () => {
  await owner.goto(`${stack.baseUrl}/settings`);
  const state = async () => (await part(owner, 'On IRC').getByRole('definition').first().textContent()) ?? '';
  const isSaid = (word: string) =>
    waitFor(`the page says ${word}`, async () => {
      await owner.reload();
      return (await state()).startsWith(word);
    });
  if (!(await state()).startsWith('offline')) await press(owner, 'Go offline');

  await press(owner, 'Go online');
  expect(await part(owner, 'On IRC').getByRole('status').textContent()).toContain('being taken online');
  await isSaid('online');

  await press(owner, 'Go offline');
  expect(await part(owner, 'On IRC').getByRole('status').textContent()).toContain('You are offline');
  await isSaid('offline');
});

/** A browser of a person's own, without scripts, in which they have signed in. */
async function personAt(login: string): Promise<Page> {
  const context = await chrome.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${stack.baseUrl}/settings`);
  await page.getByLabel('Login').fill(login);
  await page.getByRole('button').click();
  await page.waitForURL(`${stack.baseUrl}/settings`);
  return page;
}

/** Presses a button whose form leads to another address, and waits until the browser is there. */
async function press(page: Page, name: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name, exact: true }).click()]);
}
