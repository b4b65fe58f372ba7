import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../scripts/stack/browser.ts';
import { withPalette } from '../../harness/png-palette.ts';
import { openVisitor, samplePages, serveSamplePages, type Visitor } from '../../harness/sample-pages.ts';
import type { ServedPages } from '../../harness/serve-pages.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** A folder, when `scripts/screenshots.ts` asks for pictures. */
const PICTURES = process.env['HOMEPORT_PICTURES'];

/** Stands in the pictures in place of the address that the pages are served at. */
const SHOWN_ADDRESS = 'https://irc.example.org';
const PICTURES_DEADLINE_MS = 300_000;

/** The narrowest screen that people have. */
const PHONE = { width: 320, height: 640 };

const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 760, height: 560 }, timezoneId: 'UTC' },
  dark: { colorScheme: 'dark', viewport: { width: 760, height: 560 }, timezoneId: 'UTC' },
  phone: { colorScheme: 'light', viewport: PHONE, isMobile: true, timezoneId: 'UTC' },
  'phone-dark': { colorScheme: 'dark', viewport: PHONE, isMobile: true, timezoneId: 'UTC' },
} as const satisfies Record<string, BrowserContextOptions>;

type Look = keyof typeof LOOKS;

/** Looks that are checked, which have both schemes and both widths, and looks of the pictures. */
const CHECKED: readonly Look[] = ['light', 'phone-dark'];
const PICTURED: readonly Look[] = ['light', 'dark', 'phone'];

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

for (const look of CHECKED) {
  describe(`as ${look}`, () => {
    let visitor: Visitor;
    const complaints: string[] = [];

    beforeAll(async () => {
      const context = await chrome.newContext(LOOKS[look]);
      context.on('console', (message) => complaints.push(message.text()));
      visitor = await openVisitor(context, pages);
    });

    afterAll(() => visitor?.page.context().close());

    for (const sample of samplePages) {
      test(`axe-core finds no fault on the page ${sample.name}, and it is as wide as the screen`, async () => {
        await visitor.visit(sample);

        expect(await faultsOf(visitor.page)).toEqual([]);
        expect(await visitor.page.evaluate('document.documentElement.scrollWidth')).toBe(LOOKS[look].viewport.width);
        expect(complaints.filter((text) => /content security/i.test(text))).toEqual([]);
      });
    }
  });
}

test('axe-core finds the faults that it looks for on a page that has them', async () => {
  const page = await chrome.newPage();
  await page.setContent('<html lang="en"><title>faulty</title><main><h1>faulty</h1><input></main></html>');

  expect(await faultsOf(page)).toEqual(['label: <input>']);
  await page.close();
});

test('the keyboard leads to the content first, shows the focus, opens, fills in and sends a form, and leads to the refused field', async () => {
  const context = await chrome.newContext(LOOKS.light);
  const page = await context.newPage();
  pages.arriving = { issuer: 'https://id.example', subject: '2', login: 'grace' };
  await page.goto(`${pages.baseUrl}/login/idp`);
  const focused = () => page.evaluate('document.activeElement.textContent');
  const outline = () => page.evaluate('getComputedStyle(document.activeElement).outlineStyle');

  await page.keyboard.press('Tab');
  expect([await focused(), await outline()]).toEqual(['Skip to the content', 'solid']);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Sign out');

  for (let presses = 0; (await focused()) !== 'Change nick'; presses += 1) {
    expect(presses).toBeLessThan(20);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('no nick');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('nick');
  expect(await page.getByLabel('New nick').getAttribute('aria-describedby')).toBe('nick-refused nick-rule');
  await context.close();
});

if (PICTURES !== undefined) {
  test(
    'pictures of every page',
    async () => {
      for (const look of PICTURED) {
        const context = await chrome.newContext(LOOKS[look]);
        const { page, visit } = await openVisitor(context, pages);
        for (const sample of samplePages) {
          await visit(sample);
          // The port is another one at each run.
          await page.evaluate(
            `for (const code of document.querySelectorAll('code')) code.textContent = code.textContent.replace('${pages.baseUrl}', '${SHOWN_ADDRESS}')`,
          );
          const picture = await page.screenshot({ fullPage: sample.isPart !== true });
          await writeFile(join(PICTURES, `${sample.name}-${look}.png`), withPalette(picture));
        }
        await context.close();
      }
    },
    PICTURES_DEADLINE_MS,
  );
}

/** Returns axe-core's findings, each with its place; `evaluate` is not bound by the page's content policy. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(
    "axe.run(document, { rules: { 'target-size': { enabled: true } } })",
  )) as axe.AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
