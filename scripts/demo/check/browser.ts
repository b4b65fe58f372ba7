import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Where distributions put the browser. */
const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/run/current-system/sw/bin/chromium'];

/** Chromium without a sandbox (it may run as root here) and without any business of its own on the network. */
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface OpenBrowser {
  page: Page;
  context: BrowserContext;
  close(): Promise<void>;
}

/** A headless browser with an empty profile and one page. */
export async function openBrowser(): Promise<OpenBrowser> {
  const executablePath = CANDIDATES.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('Chromium is missing: run scripts/setup');
  const browser: Browser = await chromium.launch({
    executablePath,
    args: ARGUMENTS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  return { page, context, close: () => browser.close() };
}
