import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { koffiPackage } from '../../../scripts/build/bundle-options.ts';
import { addonFile } from '../../../scripts/build/sqlite-addon.ts';
import { MACHINES } from '../../../scripts/release/addons.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { lonelyConfig } from '../../harness/lonely-connector.ts';
import { AGENT_TOKEN, writeAgentFiles } from '../../harness/start-agent.ts';
import { contentOf, startXDesktop } from '../../harness/start-termprog.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** A slow registry, or a machine that is busy. */
const INSTALL_DEADLINE_MS = 240_000;
const RUN_DEADLINE_MS = 120_000;

/** More would be there to go out of date. */
const PACKAGES_MAX = 5;

/** Allowed difference between a size in README and the real one. */
const SIZE_TOLERANCE = 0.15;
const BYTES_PER_MB = 1_000_000;

/** The folder in which the package is installed as by `npm install homeport-….tgz` in an empty folder. */
let installed: Awaited<ReturnType<typeof tempFolder>>;
let packed: { filename: string; size: number; unpackedSize: number };

interface BillOfMaterials {
  components: {
    name: string;
    version: string;
    licenses: [{ license: { id: string } }];
    hashes?: [{ content: string }];
    properties: [{ value: string }];
  }[];
}

const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { version: string; license?: string }>;
};
const lockedPackages = Object.entries(locked).map(([path, { version, license }]) => ({
  name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
  version,
  license,
}));

const inFolder = (...names: string[]): string => join(installed.path, ...names);

/** An environment that has only the Node of this checkout. */
const environment = { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) };

beforeAll(async () => {
  installed = await tempFolder();
  const quietly = ['--ignore-scripts', '--loglevel=error'];
  const { stdout } = await execa('npm', ['pack', '--json', ...quietly, '--pack-destination', installed.path], {
    timeout: INSTALL_DEADLINE_MS,
  });
  const answer: unknown = JSON.parse(stdout);
  // Older versions of npm answer with a list, newer ones by names.
  [packed] = Object.values(answer as Record<string, typeof packed>) as [typeof packed];
  writeFileSync(inFolder('package.json'), '{ "private": true }');
  await execa('npm', ['install', ...quietly, '--prefer-offline', '--no-audit', '--no-fund', `./${packed.filename}`], {
    cwd: installed.path,
    timeout: INSTALL_DEADLINE_MS,
  });
}, INSTALL_DEADLINE_MS);
afterAll(() => installed[Symbol.asyncDispose]());

/** Returns npm's record of each installed package, by its path. */
const installedPackages = (): Record<string, { hasInstallScript?: boolean }> =>
  (
    JSON.parse(readFileSync(inFolder('node_modules', '.package-lock.json'), 'utf8')) as {
      packages: Record<string, { hasInstallScript?: boolean }>;
    }
  ).packages;

test('only what stays outside the bundles is installed with the package, and none of it has a script to run', () => {
  const packages = installedPackages();

  // The types of the client for hubs name zod.
  expect(Object.keys(packages).sort()).toEqual([
    `node_modules/${koffiPackage}`,
    'node_modules/homeport',
    'node_modules/zod',
  ]);
  expect(Object.keys(packages).length).toBeLessThanOrEqual(PACKAGES_MAX);
  expect(Object.values(packages).filter(({ hasInstallScript }) => hasInstallScript === true)).toEqual([]);
});

test('the installed connector prints its version, checks a configuration and makes its database', async () => {
  const configFile = await lonelyConfig(inFolder());
  mkdirSync(inFolder('state'));

  for (const words of [['--version'], ['check-config', configFile], ['migrate', '--config', configFile]]) {
    const { exitCode, output } = await run('homeport-connector', ...words);
    expect(exitCode, output).toBe(0);
  }
  expect(readdirSync(inFolder('state')).some((name) => /\.(db|sqlite3?)$/.test(name))).toBe(true);
});

test('where the addon of SQLite is not for the machine, one line says what to build and where it belongs', async () => {
  const file = inFolder('node_modules', 'homeport', addonFile(process.arch));
  const configFile = await lonelyConfig(inFolder());
  const kept = inFolder('addon');
  cpSync(file, kept);
  try {
    for (const [reason, change] of [
      ['is not there', () => rmSync(file)],
      ['can’t be loaded here \\(.*\\)', () => writeFileSync(file, 'for another machine')],
    ] as const) {
      change();
      const { exitCode, output } = await run('homeport-connector', '--config', configFile);

      expect(exitCode).toBe(78);
      expect(output).toMatch(
        new RegExp(
          `^homeport-connector: database: SQLite's addon \\S+/${addonFile(process.arch)} ${reason}: for this machine \\(linux, ${process.arch}\\) build the npm package sqlite3 [^\\n]*$`,
        ),
      );
    }
  } finally {
    cpSync(kept, file);
  }
});

test.each(['v12.22.9', 'v18.19.0', 'v20.20.2'])(
  'under a Node.js that is too old to read them, agent and connector say so in one line: %s',
  async (version) => {
    // As Node.js 12 of Ubuntu 22.04, which ends with this status at an option that it does not know.
    const old = `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else echo "node: bad option: $1" >&2; exit 9; fi\n`;
    writeFileSync(inFolder('node'), old, { mode: 0o755 });
    for (const program of ['homeport-agent', 'homeport-connector']) {
      const { exitCode, all } = await execa(inFolder('node_modules', '.bin', program), ['--version'], {
        all: true,
        reject: false,
        timeout: RUN_DEADLINE_MS,
        env: { PATH: [installed.path, '/usr/bin', '/bin'].join(delimiter) },
      });

      const found = `and this is ${version}: ${inFolder('node')}`;
      expect({ exitCode, all }).toEqual({ exitCode: 78, all: `${program} needs Node.js 22.19 or newer, ${found}` });
    }
    rmSync(inFolder('node'));
  },
);

test('the installed agent prints its report, and serves it', async () => {
  const { exitCode, output } = await run('homeport-agent', 'report', '--json');
  expect({ exitCode, report: JSON.parse(output) }).toMatchObject({ exitCode: 0, report: { load: expect.any(Array) } });

  const port = await freePort();
  using files = writeAgentFiles(port);
  const agent = startProcess({
    name: 'the installed agent',
    command: [inFolder('node_modules', '.bin', 'homeport-agent'), '--config', files.configFile],
    env: environment,
  });
  try {
    const ask = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${AGENT_TOKEN}` } });
    const isUp = (): Promise<boolean> =>
      ask('/healthz').then(
        ({ ok }) => ok,
        () => false,
      );
    await waitFor('the installed agent answers', isUp, { process: agent });

    expect(await (await ask('/v1/report')).json()).toMatchObject({ load: expect.any(Array) });
  } finally {
    await agent.stop();
  }
});

test('the installed terminal opens a window in which a command runs', async () => {
  await using desktop = await startXDesktop();
  const file = desktop.newFile();
  const terminal = startProcess({
    name: 'the installed terminal',
    command: [inFolder('node_modules', '.bin', 'termprog'), '-e', 'sh', '-c', `printenv WINDOWID > ${file}`],
    env: { ...environment, ...desktop.environment },
  });

  expect({ ...(await terminal.ended), output: terminal.output() }).toMatchObject({ exitCode: 0, output: '' });
  expect(contentOf(file)).toMatch(/^\d+$/m);
});

test('each installed program has the notices of all packages in its bundle, and a bill of materials', () => {
  for (const [program, some] of [
    ['connector', ['express', 'oidc-provider', 'irc-framework', 'knex', 'zod', 'sqlite3', 'node-addon-api']],
    ['agent', ['pino', 'jsonc-parser', 'zod']],
    ['termprog', ['x11', '@xterm/headless', 'zod']],
  ] as const) {
    const read = (ending: string): string =>
      readFileSync(inFolder('node_modules', 'homeport', 'dist', `${program}.${ending}`), 'utf8');
    const notices = read('notices.txt');
    const bill = JSON.parse(read('cdx.json')) as BillOfMaterials;
    const bundled = bill.components.filter(({ properties: [{ value }] }) => value === 'bundled');

    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    expect(bundled.map(({ name }) => name)).toEqual(expect.arrayContaining([...some]));
    for (const { name, version, licenses, hashes } of bundled) {
      const { version: locked, license } =
        lockedPackages.find((each) => each.name === name && each.version === version) ?? {};
      expect({ name, version }).toEqual({ name, version: locked });
      if (license !== undefined) expect([{ license: { id: license } }], name).toEqual(licenses);
      expect(hashes?.[0].content, name).toMatch(/^[0-9a-f]{128}$/);
      expect(notices).toContain(`  ${name} ${version} (${licenses[0].license.id})\n`);
      // The package's heading is above the text that covers it.
      expect(notices.split(`\n${name} ${version}\n`).length, name).toBe(2);
    }
    expect(bill.components.map(({ name }) => name)).toContain(koffiPackage);
    expect(notices).toContain(`  ${koffiPackage} `);
  }
});

test('a hub takes the client from the installed package', async () => {
  const script = "import { fetchReport } from 'homeport/report'; console.log(typeof fetchReport);";
  const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', script], {
    cwd: installed.path,
    timeout: RUN_DEADLINE_MS,
  });

  expect(stdout).toBe('function');
});

/** Bytes of a file, or of all files in a folder. */
function sizeOf(path: string): number {
  const isFolder = statSync(path).isDirectory();
  return isFolder ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : statSync(path).size;
}

/** Returns a number from README's table. */
function toldInReadme(what: string, unit: 'MB' | 'packages'): number {
  const row = new RegExp(`^\\| ${what} \\| ([\\d.]+) ${unit} \\|`, 'm').exec(readFileSync('README.md', 'utf8'));
  return Number(row?.[1]);
}

test("README's sizes are those of the package", () => {
  // An addon that only `npm run release` builds is as large as the one for this machine.
  const addon = readFileSync(inFolder('node_modules', 'homeport', addonFile(process.arch)));
  const lacking = Object.keys(MACHINES).filter(
    (processor) => !existsSync(inFolder('node_modules', 'homeport', addonFile(processor))),
  ).length;
  const dist = inFolder('node_modules', 'homeport', 'dist');
  const inDist = (...names: string[]): number => names.reduce((sum, name) => sum + sizeOf(join(dist, name)), 0);
  const koffiParts = readdirSync(inFolder('node_modules', '@koromix'));
  const actual: Readonly<Record<string, number>> = {
    'the file that `npm run release` makes': packed.size + lacking * gzipSync(addon).length,
    'the package, unpacked': packed.unpackedSize + lacking * addon.length,
    '`homeport-connector`': inDist('connector.mjs') + addon.length,
    '`homeport-agent`': inDist('agent.cjs'),
    '`termprog`':
      inDist('termprog.cjs', 'termprog-parts') +
      koffiParts.reduce((sum, name) => sum + sizeOf(inFolder('node_modules', '@koromix', name)), 0),
  };
  for (const [what, bytes] of Object.entries(actual)) {
    const told = toldInReadme(what, 'MB');
    const deviation = Math.abs(told / (bytes / BYTES_PER_MB) - 1);
    expect(deviation, `README tells ${told} MB of ${what}, it has ${bytes} bytes`).toBeLessThan(SIZE_TOLERANCE);
  }
});

test('README has the number of installed packages', () => {
  const count = Object.keys(installedPackages()).length;
  const told = toldInReadme('`npm install` of it', 'packages');

  expect(Math.abs(told / count - 1), `README tells of ${told} packages, there are ${count}`).toBeLessThan(
    SIZE_TOLERANCE,
  );
});

/** Runs an installed program to its end. */
async function run(program: string, ...words: string[]): Promise<{ exitCode: number | undefined; output: string }> {
  const { exitCode, all } = await execa(inFolder('node_modules', '.bin', program), words, {
    all: true,
    reject: false,
    timeout: RUN_DEADLINE_MS,
    cwd: installed.path,
    env: environment,
  });
  return { exitCode, output: all };
}
