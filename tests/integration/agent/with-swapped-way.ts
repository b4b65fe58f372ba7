/**
 * with-swapped-way.ts DIRECTORY TIMES COMMAND [ARGUMENT...]
 * Mounts a part of the root directory's disk below a directory of an account without privileges, which then swaps that
 * directory, again and again, for a link to DIRECTORY/hung. Runs COMMAND up to so many times meanwhile, until one fails, with a
 * mountinfo that has both mounts, and prints how each run ended: its status, or its signal where it took more than half a minute.
 * Run it in a mount namespace of its own, behind `with-hung-mounts.ts DIRECTORY/hung`.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, lchownSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Number of a user without an account on the machine. */
const STRANGER = 60_777;
const RUN_DEADLINE_MS = 30_000;
const SWAP_EVERY_MS = 0.3;

const [directory = '', times = '', command = '', ...args] = process.argv.slice(2);
const home = join(directory, 'home');

function swapForEver(): never {
  process.setgid?.(STRANGER);
  process.setuid?.(STRANGER);
  const pause = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SWAP_EVERY_MS);
  for (;;) {
    renameSync(join(home, 'way'), join(home, 'kept'));
    renameSync(join(home, 'link'), join(home, 'way'));
    pause();
    renameSync(join(home, 'way'), join(home, 'link'));
    renameSync(join(home, 'kept'), join(home, 'way'));
    pause();
  }
}

function setUp(): void {
  const point = join(home, 'way/data');
  mkdirSync(point, { recursive: true });
  symlinkSync(join(directory, 'hung'), join(home, 'link'));
  execFileSync('mount', ['--bind', '/etc', point]);
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const listed = mounts.filter((line) => ['/', point].includes(line.split(' ')[4] ?? ''));
  writeFileSync(join(directory, 'proc/1/mountinfo'), `${listed.join('\n')}\n`);
  for (const own of [home, join(home, 'way')]) chownSync(own, STRANGER, STRANGER);
  lchownSync(join(home, 'link'), STRANGER, STRANGER);
}

if (times === 'swap') swapForEver();
setUp();
const swapping = spawn(process.execPath, [process.argv[1] ?? '', directory, 'swap'], { stdio: 'inherit' });
const ends: (number | string | null)[] = [];
// The first that fails is enough.
while (ends.length < Number(times) && !ends.some((end) => end !== 0)) {
  const { status, signal } = spawnSync(command, args, { timeout: RUN_DEADLINE_MS, killSignal: 'SIGKILL' });
  ends.push(status ?? signal);
}
swapping.kill('SIGKILL');
process.stdout.write(JSON.stringify(ends));
