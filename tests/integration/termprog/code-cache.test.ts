import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { spawnTermprog, startXDesktop } from '../../harness/start-termprog.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const RUN_DEADLINE_MS = 120_000;

/** Folder beside the launcher with the program and V8's cache of it. */
const PARTS = join('dist', 'termprog-parts');

const cacheName = (): string => readdirSync(PARTS).find((name) => name.endsWith('.cache')) ?? 'no cache';

/** Copies the build into another folder, without the packages it loads. */
async function copyOfBuild(folder: string): Promise<string> {
  await mkdir(join(folder, 'dist'));
  await cp(join('dist', 'termprog.cjs'), join(folder, 'dist', 'termprog.cjs'));
  await cp(PARTS, join(folder, PARTS), { recursive: true });
  return join(folder, 'dist', 'termprog.cjs');
}

test('the build keeps what this Node compiled, named by its version', () => {
  const [program = ''] = readdirSync(PARTS).filter((name) => name.endsWith('.js'));
  const script = new Script(readFileSync(join(PARTS, program), 'latin1'), {
    cachedData: readFileSync(join(PARTS, cacheName())),
  });

  expect(cacheName()).toBe(program.replace(/js$/, `${process.version}-${process.arch}.cache`));
  expect(script.cachedDataRejected).toBe(false);
});

for (const [what, spoil] of [
  ['another V8 made', (cache: Buffer) => cache.fill(0x5a, 0, 64)],
  ['was cut off', (cache: Buffer) => cache.subarray(0, 100)],
  ['is empty', () => Buffer.alloc(0)],
] as const) {
  test(`a cache that ${what} is left alone`, async () => {
    await using folder = await tempFolder();
    const launcher = await copyOfBuild(folder.path);
    const cache = join(folder.path, PARTS, cacheName());
    writeFileSync(cache, spoil(readFileSync(cache)));

    const { stdout, stderr } = await execa(process.execPath, [launcher, '-version'], { timeout: RUN_DEADLINE_MS });

    expect(stdout).toMatch(/^termprog \d/);
    expect(stderr).toBe('');
  });
}

test('-version and -help need no native part', async () => {
  await using folder = await tempFolder();
  const launcher = await copyOfBuild(folder.path);

  for (const argument of ['-version', '-help']) {
    const { stdout, stderr } = await execa(process.execPath, [launcher, argument], { timeout: RUN_DEADLINE_MS });

    expect(stdout).not.toBe('');
    expect(stderr).toBe('');
  }
});

test("a session writes into no folder, and its child's environment names no cache", async () => {
  await using desktop = await startXDesktop();
  await using home = await tempFolder();
  const report = join(desktop.folder, 'environment');
  const before = readdirSync(PARTS);

  const environment = { ...desktop.environment, HOME: home.path, NODE_COMPILE_CACHE: undefined };
  const terminal = spawnTermprog(['-e', 'sh', '-c', `env > ${report}`], environment);

  expect((await terminal.ended).exitCode).toBe(0);
  expect(readFileSync(report, 'utf8')).not.toMatch(/COMPILE_CACHE|NODE_OPTIONS/);
  expect(await readdir(home.path)).toEqual([]);
  expect(readdirSync(PARTS)).toEqual(before);
});
