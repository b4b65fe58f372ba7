import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../harness/temp-folder.ts';

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

test('the demo gets no browser, the proof gets one, no database comes but with the tests, and no machine but with those of the night', () => {
  const demo = debian('listed sqlite3 start');
  const proof = debian('listed sqlite3 start start-check');
  const tests = debian('listed check sqlite3 start start-check test');

  expect(demo).toEqual(expect.arrayContaining(['g++', 'soju', 'ergochat', 'xvfb']));
  expect(proof.filter((name) => !demo.includes(name))).toEqual([
    'chromium',
    'fonts-liberation',
    'xdotool',
    'prometheus',
  ]);
  expect(tests.filter((name) => !proof.includes(name))).toEqual(
    expect.arrayContaining(['postgresql', 'postfix', 'knot', 'ngircd', 'nix-bin', 'nginx', 'caddy']),
  );
  expect(tests.some((name) => name.includes('qemu'))).toBe(false);
  expect(debian('listed nightly')).toEqual(['lintian', 'qemu-system-x86', 'mmdebstrap', 'podman', 'runc', 'qemu-user']);
});

test('every package is listed once, below a command that set-up knows', () => {
  const text = readFileSync('scripts/debian-packages.txt', 'utf8');
  const lines = text.split('\n').filter((line) => /^[a-z0-9]/.test(line));

  const all = debian('listed check sqlite3 start start-check test release nightly');

  expect(all).toHaveLength(lines.length);
  expect(all).toEqual([...new Set(all)]);
  expect(debian('listed_in_trixie')).toEqual(['soju', 'soju-utils', 'ergochat']);
});

test('a start that plays the proof and the tests of the night set the machine up for that, others do not', async () => {
  await using folder = await tempFolder();
  const scripts = join(folder.path, 'scripts');
  mkdirSync(scripts);
  cpSync('scripts/run', join(scripts, 'run'));
  writeFileSync(join(scripts, 'setup'), '#!/bin/sh\necho "set up for $*"\n', { mode: 0o755 });
  writeFileSync(join(folder.path, 'main.mjs'), "console.log('run with', ...process.argv.slice(2))");
  const run = (...args: string[]) => execFileSync('sh', [join(scripts, 'run'), ...args], { encoding: 'utf8' });

  expect(run('start', 'main.mjs')).toBe('set up for start\nrun with\n');
  expect(run('start', 'main.mjs', '--ready-file', 'a b')).toBe('set up for start\nrun with --ready-file a b\n');
  expect(run('start', 'main.mjs', '--ready-file', 'x', '--check')).toBe(
    'set up for start-check\nrun with --ready-file x --check\n',
  );
  expect(run('test', 'main.mjs', '--check')).toBe('set up for test\nrun with --check\n');
  expect(run('test', 'main.mjs', 'nightly')).toBe('set up for nightly\nrun with nightly\n');
});

test('a purpose that set-up does not know is refused', () => {
  const { status, stderr } = spawnSync('sh', ['scripts/setup', 'demo'], { encoding: 'utf8' });

  expect(stderr).toBe(
    'setup: unknown argument demo: expected build, check, start, start-check, test, release, nightly or --undo\n',
  );
  expect(status).toBe(64);
});

test('a set-up that is interrupted while it takes its policy for services away takes it away at its end', async () => {
  await using folder = await tempFolder();
  const script = `
set -eu
PACKAGES=scripts/debian-packages.txt HOMEPORT_SETUP_LOGS=$1/logs services_held= background=
mkdir "$HOMEPORT_SETUP_LOGS"
. scripts/set-up/steps.sh
. scripts/set-up/debian.sh
POLICY=$1/policy-rc.d
# As sudo is interrupted when it asks for a password again.
as_root() {
  if [ "$1" = rm ] && mkdir "$LOGS/asked" 2>/dev/null; then kill -INT $$; return 1; fi
  "$@"
}
eval "$(sed -n '/^clean_up() {/,/^}/p' scripts/setup)"
trap clean_up EXIT
trap 'exit 130' INT
started_at_boot | sort -u >"$LOGS/boot"
hold_services
[ -e "$POLICY" ] && release_services`;

  const { status } = spawnSync('sh', ['-c', script, 'sh', folder.path]);

  expect(status).toBe(130);
  expect(readdirSync(folder.path)).toEqual([]);
});

/** Runs functions of set-up's part for Debian. */
function debian(command: string): string[] {
  return words(
    execFileSync('sh', ['-c', `PACKAGES=scripts/debian-packages.txt; . scripts/set-up/debian.sh; ${command}`], {
      encoding: 'utf8',
    }),
  );
}
