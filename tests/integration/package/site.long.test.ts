import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, posix, resolve } from 'node:path';
import { execa } from 'execa';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sitePages } from '../../../scripts/site/stage-pages.ts';
import { launchBrowser } from '../../../scripts/stack/browser.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Deadline of a build on a busy machine, in milliseconds. */
const BUILD_DEADLINE_MS = 280_000;
const BASE = '/doc/homeport/';
const PHONE = { width: 390, height: 844 };
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

let folder: Awaited<ReturnType<typeof tempFolder>>;
let site: string;
let server: Server;
let origin: string;
let browser: Browser;

const build = (...args: string[]) =>
  execa(process.execPath, ['scripts/site/main.ts', ...args], { all: true, reject: false, timeout: BUILD_DEADLINE_MS });

beforeAll(async () => {
  folder = await tempFolder();
  site = join(folder.path, 'site');
  const { exitCode, all } = await build('--base', BASE, '--into', site);
  expect(exitCode, all).toBe(0);
  server = serve().listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchBrowser({ folder: join(folder.path, 'browser') });
}, BUILD_DEADLINE_MS);

afterAll(async () => {
  await browser?.close();
  server?.close();
  await folder?.[Symbol.asyncDispose]();
});

const filesOf = (extension: string): string[] =>
  readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(extension));

test('every address that a page names is a file of the site, with the heading, and no page needs another host', () => {
  const present = new Set(readdirSync(site, { recursive: true, encoding: 'utf8' }));
  const idsOf = new Map(
    filesOf('.html').map((name) => [
      name,
      new Set([...readFileSync(join(site, name), 'utf8').matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)),
    ]),
  );
  const wrong = filesOf('.html').flatMap((name) => {
    const html = readFileSync(join(site, name), 'utf8');
    return [...html.matchAll(/<(\w+)[^>]*? (?:href|src)="([^"]*)"/g)].flatMap(([, element = '', address = '']) => {
      const url = new URL(address, `http://site${BASE}${name}`);
      // A person may follow a link to another host; a page loads no part from there.
      if (url.host !== 'site') return element === 'a' ? [] : [`${name}: ${address}`];
      const file = url.pathname.slice(BASE.length).replace(/(^|\/)$/, '$1index.html');
      const isThere = url.pathname.startsWith(BASE) && present.has(posix.normalize(file));
      const heading = decodeURIComponent(url.hash.slice(1));
      const hasHeading = heading === '' || (idsOf.get(file)?.has(heading) ?? false);
      return isThere && hasHeading ? [] : [`${name}: ${address}`];
    });
  });

  expect(filesOf('.html').length).toBeGreaterThanOrEqual([...sitePages()].length);
  expect(wrong).toEqual([]);
  const sheets = filesOf('.css').map((name) => readFileSync(join(site, name), 'utf8'));
  expect(sheets.length).toBeGreaterThan(1);
  expect(sheets.flatMap((sheet) => sheet.match(/@import[^;]*|url\(["']?(?:https?:)?\/\/[^)]*/g) ?? [])).toEqual([]);
});

test('below a path, without any other host and under a strict policy, pages have their look, search and dark colours', async () => {
  const { page, wrong } = await open('guides/backup.html');
  expect(await page.title()).toBe('Backing up the connector, and restoring it | Homeport');
  expect(await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')).not.toContain(
    'unsafe',
  );
  const background = (): Promise<string> => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const light = await background();
  await page.locator('.VPNavBar .VPSwitchAppearance').first().click();
  await expect.poll(background).not.toBe(light);

  await page.keyboard.press('Control+k');
  await page.locator('.VPLocalSearchBox input').fill('drainSeconds');
  const found = page.locator('.VPLocalSearchBox .result').first();
  await found.waitFor();
  expect(await found.getAttribute('href')).toBe(`${BASE}options.html#homeport-connector-listen.drainSeconds`);
  await found.click();
  await expect.poll(() => page.title()).toBe('Option reference | Homeport');
  expect(wrong).toEqual([]);
  await page.context().close();
});

test('no page is wider than a phone, and a wide table moves in a frame of its own', async () => {
  for (const path of ['', 'options.html', 'errors.html', 'guides/faults.html', 'control-functions.html']) {
    const { page, wrong } = await open(path, PHONE);
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(PHONE.width);
    expect(wrong, path).toEqual([]);
    await page.context().close();
  }
});

test('a link that leads nowhere ends the build, with its page and what to do', async () => {
  await using other = await tempFolder();
  mkdirSync(join(other.path, 'docs'));
  writeFileSync(join(other.path, 'README.md'), '[fine](docs/README.md)\n');
  writeFileSync(join(other.path, 'CHANGELOG.md'), '# Changes\n');
  writeFileSync(join(other.path, 'docs/README.md'), '[gone](guides/gone.md), [a test](../tests/a.test.ts)\n');
  const { exitCode, all } = await execa(process.execPath, [resolve('scripts/site/main.ts')], {
    cwd: other.path,
    all: true,
    reject: false,
    timeout: BUILD_DEADLINE_MS,
  });

  expect(exitCode).toBe(1);
  expect(all).toContain('docs/README.md: guides/gone.md\n  docs/README.md: ../tests/a.test.ts\n');
  expect(all).toContain('as code, without a link');
});

test('a build removes the page that was renamed, and no file of others', async () => {
  await using other = await tempFolder();
  const put = (name: string, text: string): void => writeFileSync(join(other.path, name), text);
  for (const name of ['docs', 'www', 'others']) mkdirSync(join(other.path, name));
  for (const name of ['scripts', 'node_modules']) symlinkSync(resolve(name), join(other.path, name));
  put('README.md', '[fine](docs/README.md)\n');
  put('CHANGELOG.md', '# Changes\n');
  put('docs/README.md', '# Home\n');
  put('docs/old.md', '# Page\n');
  put('others/notes.txt', 'mine\n');
  const buildInto = (target: string) =>
    execa(process.execPath, [resolve('scripts/site/main.ts'), '--into', target], {
      cwd: other.path,
      all: true,
      reject: false,
      timeout: BUILD_DEADLINE_MS,
    });

  const refused = await buildInto('others');
  expect(refused).toMatchObject({
    exitCode: 64,
    all: expect.stringContaining('--into others: expected an empty folder'),
  });
  expect(readdirSync(join(other.path, 'others'))).toEqual(['notes.txt']);

  expect(await buildInto('www')).toMatchObject({ exitCode: 0 });
  put('www/.htaccess', 'mine\n');
  renameSync(join(other.path, 'docs/old.md'), join(other.path, 'docs/new.md'));
  expect(await buildInto('www')).toMatchObject({ exitCode: 0 });
  const files = readdirSync(join(other.path, 'www'));
  expect(files).toEqual(expect.arrayContaining(['.htaccess', 'index.html', 'new.html']));
  expect(files).not.toContain('old.html');
});

test('a base that is no path is refused, with what is expected', async () => {
  const { exitCode, all } = await build('--base', 'homeport');

  expect(exitCode).toBe(64);
  expect(all).toBe('site: --base homeport: expected a path with a slash at both ends, such as /homeport/');
});

/** A plain web server, which only serves files by their names below a path. */
function serve(): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    try {
      if (!name.startsWith(BASE)) throw new Error('not below the path of the site');
      const content = readFileSync(join(site, name.slice(BASE.length)));
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'text/plain' }).end(content);
    } catch {
      response.writeHead(404).end('not found');
    }
  });
}

/** A page, and what the browser complained of or fetched from other hosts while it was open. */
async function open(path: string, viewport = { width: 1366, height: 900 }): Promise<{ page: Page; wrong: string[] }> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin + BASE) && !request.url().startsWith('data:')) wrong.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(origin + BASE + path, { waitUntil: 'networkidle' });
  return { page, wrong };
}
