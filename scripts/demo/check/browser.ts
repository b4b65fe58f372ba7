import type { Page } from 'playwright-core';
import { type BrowserOptions, launchBrowser } from '../../stack/browser.ts';

export interface OpenBrowser {
  page: Page;
  /** A page of another person, with cookies and storage of its own. */
  openOther(): Promise<Page>;
  close(): Promise<void>;
}

/** A headless browser with an empty profile and one page; what it writes goes into the folder of the options. */
export async function openBrowser(options: BrowserOptions): Promise<OpenBrowser> {
  const browser = await launchBrowser(options);
  const openOther = async (): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    return page;
  };
  const page = await openOther();
  return { page, openOther, close: () => browser.close() };
}
