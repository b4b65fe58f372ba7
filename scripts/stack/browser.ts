import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Paths of the browser in distributions. */
const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/run/current-system/sw/bin/chromium'];

/** Chromium without a sandbox (it may run as root here) and without network requests of its own. */
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

export interface BrowserOptions {
  folder: string;
  /** Name and port -> address and port that the browser connects to instead; the name stays that of the site. */
  hosts?: Readonly<Record<string, string>>;
  /** Sites may have certificates of an authority that the machine does not know. */
  trustsAll?: boolean;
}

/**
 * Starts a headless browser with an empty profile. Crash reports, settings and all other files outside the
 * profile go into `folder`, not into the person's home.
 * @throws Error saying what to do when there is no browser
 */
export async function launchBrowser({ folder, hosts = {}, trustsAll = false }: BrowserOptions): Promise<Browser> {
  const executablePath = CANDIDATES.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('Chromium is missing: run scripts/setup');
  const [config, cache, data] = ['config', 'cache', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(folder, { recursive: true });
  return chromium.launch({
    executablePath,
    args: [...ARGUMENTS, ...resolverRules(hosts), ...(trustsAll ? ['--ignore-certificate-errors'] : [])],
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: config, XDG_CACHE_HOME: cache, XDG_DATA_HOME: data },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

function resolverRules(hosts: Readonly<Record<string, string>>): string[] {
  const rules = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`);
  return rules.length === 0 ? [] : [`--host-resolver-rules=${rules.join(', ')}`];
}
