import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { makeTrialCheckout, SQLITE_ADDON } from '../../harness/trial-checkout.ts';

const WAITING = 'setup: another set-up runs in this checkout: waiting for it to end ...\n';

const startSetUp = (cwd: string, env: NodeJS.ProcessEnv = {}) =>
  startProcess({ name: 'set-up', command: ['scripts/setup', 'check'], cwd, env: { ...process.env, ...env } });

/** Holds the lock, as a set-up that runs does. */
const holdLock = async (cwd: string) => {
  const lock = 'scripts/debian-packages.txt';
  const holder = startProcess({ name: 'flock', command: ['flock', '--no-fork', lock, 'sleep', 'infinity'], cwd });
  await waitFor(
    'the lock is held',
    async () => (await execa('flock', ['--nonblock', lock, 'true'], { cwd, reject: false })).exitCode === 1,
    { process: holder },
  );
  return holder;
};

test('a second set-up says that it waits, and goes on when the first has ended', async () => {
  await using folder = await tempFolder();
  makeTrialCheckout(folder.path);
  const first = await holdLock(folder.path);
  const second = startSetUp(folder.path);
  await waitFor('the second tells of its wait', () => second.output().includes(WAITING), { process: second });

  await first.stop();

  expect(await second.ended).toMatchObject({ exitCode: 0 });
});

test('a second set-up that waits in vain says so', async () => {
  await using folder = await tempFolder();
  makeTrialCheckout(folder.path);
  const script = join(folder.path, 'scripts/setup');
  writeFileSync(script, readFileSync(script, 'utf8').replace(/^WAIT_SECONDS=\d+$/m, 'WAIT_SECONDS=1'));
  const first = await holdLock(folder.path);

  const second = startSetUp(folder.path);

  expect(await second.ended).toMatchObject({ exitCode: 1 });
  expect(second.output()).toContain(
    `${WAITING}setup: another set-up in this checkout has not ended within 1 s: end it, then run again\n`,
  );
  await first.stop();
});

test('a set-up that waits ends at a signal', async () => {
  await using folder = await tempFolder();
  makeTrialCheckout(folder.path);
  const first = await holdLock(folder.path);
  const second = startSetUp(folder.path);
  await waitFor('the second tells of its wait', () => second.output().includes(WAITING), { process: second });

  second.kill('SIGTERM');

  expect(await second.ended).toMatchObject({ exitCode: 128 + 15 });
  await first.stop();
});

test('a set-up that has only just begun to wait leaves no trace when a signal ends it', async () => {
  await using folder = await tempFolder();
  makeTrialCheckout(folder.path);
  const first = await holdLock(folder.path);
  // The wait gets its own process group as late as on a busy machine.
  writeFileSync(join(folder.path, 'setsid'), '#!/bin/sh\nsleep 1\nexec /usr/bin/setsid "$@"\n', { mode: 0o755 });
  const second = startSetUp(folder.path, { PATH: `${folder.path}:${process.env.PATH}` });
  await waitFor('the second tells of its wait', () => second.output().includes(WAITING), { process: second });

  second.kill('SIGTERM');

  expect(await second.ended).toMatchObject({ exitCode: 128 + 15 });
  await first.stop();
});

test('a set-up that a signal ends while it begins to wait leaves no trace', async () => {
  await using folder = await tempFolder();
  makeTrialCheckout(folder.path);
  const script = join(folder.path, 'scripts/setup');
  // The signal comes when the wait has begun, and the shell has not yet looked at its number.
  const early = readFileSync(script, 'utf8').replaceAll(
    / &\n {2}background=\$!/g,
    ' &\n  kill -TERM $$$$\n  background=$$!',
  );
  expect(early).toContain('kill -TERM $$\n');
  writeFileSync(script, early);
  const first = await holdLock(folder.path);

  // Several, because what the shell does with a signal here depends on which process runs first.
  for (let tried = 0; tried < 8; tried += 1) {
    expect(await startSetUp(folder.path).ended).toMatchObject({ exitCode: 128 + 15 });
  }

  await first.stop();
});

test('a native module that does not load is replaced by the build that was kept', async () => {
  await using folder = await tempFolder();
  makeTrialCheckout(folder.path);
  const addon = join(folder.path, SQLITE_ADDON);
  const { stdout: version } = await execa('node', ['-p', 'require("sqlite3/package.json").version']);
  const kept = join(folder.path, `cache/homeport/sqlite3-${version}-node-${process.version}-${process.arch}`);
  mkdirSync(kept, { recursive: true });
  copyFileSync(SQLITE_ADDON, join(kept, 'node_sqlite3.node'));
  mkdirSync(dirname(addon), { recursive: true });
  // A set-up that was killed while it copied leaves such a file.
  writeFileSync(addon, readFileSync(SQLITE_ADDON).subarray(0, 100_000));

  await execa('sh', ['scripts/setup', 'start'], {
    cwd: folder.path,
    env: { XDG_CACHE_HOME: join(folder.path, 'cache') },
  });

  expect(readFileSync(addon).equals(readFileSync(SQLITE_ADDON))).toBe(true);
  expect(readdirSync(dirname(addon))).toEqual(['node_sqlite3.node']);
});
