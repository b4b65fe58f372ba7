import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Longer than the run itself: a busy machine starts, heals and reads slowly. */
const DEADLINE_MS = 570_000;
const SIZE = ['--accounts', '50', '--channels', '20', '--members', '5', '--lines', '4', '--minutes', '3'];

/** Each commit is tried with another seed, the same commit again with the same one. */
function seedOfCommit(): string {
  const seed = process.env['FUZZ_SEED'];
  if (seed !== undefined) return seed;
  const hash = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return String(1 + (Number.parseInt(hash.slice(0, 8), 16) % 1_000_000));
}

test('while three processes, bouncer, network and database are killed, frozen and cut off for minutes, no account misses, doubles or invents anything', async () => {
  await using folder = await tempFolder();
  const command = ['bench/main.ts', 'soak', ...SIZE, '--seed', seedOfCommit(), '--logs', join(folder.path, 'logs')];
  const { stdout, stderr, exitCode } = await execa(process.execPath, command, { timeout: DEADLINE_MS, reject: false });
  // The report has the seed, and each violation with its time and ids.
  console.log(stdout);
  expect(`${stderr}\n${stdout}`).toContain('no violation');
  expect(exitCode).toBe(0);
});
