import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../scripts/stack/browser.ts';
import { openVisitor, type SamplePage, samplePages, serveSamplePages } from '../../harness/sample-pages.ts';
import type { ServedPages } from '../../harness/serve-pages.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

let folder: Awaited<ReturnType<typeof tempFolder>>;
let pages: ServedPages;
let chrome: Browser;

beforeAll(async () => {
  folder = await tempFolder();
  [pages, chrome] = await Promise.all([serveSamplePages(), launchBrowser({ folder: folder.path })]);
});

afterAll(async () => {
  await chrome?.close();
  await pages?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

test('a button beside the address of the connector copies it', async () => {
  const options = { permissions: ['clipboard-read', 'clipboard-write'], timezoneId: 'UTC' };
  const { complaints } = await visit('settings', options, async (page) => {
    const button = page.locator('#connect').getByRole('button', { name: 'Copy' }).first();
    await button.click();
    await page.locator('#connect').getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${pages.baseUrl}/mcp`);
  });
  expect(complaints).toEqual([]);
});

test('where the browser forbids to copy, the button selects', async () => {
  await visit('settings', { timezoneId: 'UTC' }, async (page) => {
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("forbidden"))');
    await page.locator('#connect').getByRole('button', { name: 'Copy' }).first().click();
    expect(await page.evaluate('getSelection().toString()')).toBe(`${pages.baseUrl}/mcp`);
  });
});

test('a token that was just made has such a button, and its page is not loaded once more', async () => {
  const { loads } = await visit('token', { timezoneId: 'Asia/Kolkata' }, async (page) => {
    await page.getByRole('button', { name: 'Copy' }).waitFor();
    expect(await page.locator('code.copy').textContent()).toMatch(/^homeport_/);
  });
  expect(loads.filter((path) => path === '/settings/tokens')).toEqual([]);
});

test('times are in the zone of the reader from the first page on', async () => {
  const { complaints } = await visit('history', { timezoneId: 'Asia/Kolkata' }, async (page) => {
    await page.getByLabel('Day in Asia/Calcutta').or(page.getByLabel('Day in Asia/Kolkata')).waitFor();
    await page.getByText('05:30:00', { exact: true }).waitFor();
  });
  expect(complaints).toEqual([]);
});

test('without scripts, and where the zone can’t be noted, the page is there all the same, in UTC', async () => {
  await visit('history', { timezoneId: 'Asia/Kolkata', javaScriptEnabled: false }, async (page) => {
    await page.getByLabel('Day, in UTC').waitFor();
    await page.getByText('00:00:00', { exact: true }).waitFor();
  });
  const context = await chrome.newContext({ timezoneId: 'Asia/Kolkata' });
  await context.addInitScript("Object.defineProperty(document, 'cookie', { get: () => '', set: () => {} })");
  const visitor = await openVisitor(context, pages);
  await visitor.visit(sample('history'));
  await visitor.page.getByLabel('Day, in UTC').waitFor();
  await visitor.page.waitForLoadState('networkidle');
  await visitor.page.getByLabel('Day, in UTC').waitFor();
  await context.close();
});

/** Visits a page as a person does; returns the pages that were loaded, and the browser's complaints. */
async function visit(name: string, options: BrowserContextOptions, act: (page: Page) => Promise<void>) {
  const context = await chrome.newContext(options);
  const complaints: string[] = [];
  const loads: string[] = [];
  context.on('console', (message) => complaints.push(message.text()));
  context.on('request', (request) => {
    if (request.isNavigationRequest() && request.method() === 'GET') loads.push(new URL(request.url()).pathname);
  });
  try {
    const visitor = await openVisitor(context, pages);
    await visitor.visit(sample(name));
    await act(visitor.page);
    return { loads, complaints };
  } finally {
    await context.close();
  }
}

function sample(name: string): SamplePage {
  const found = samplePages.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no sample page ${name}`);
  return found;
}
