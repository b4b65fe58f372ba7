import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { chosenSeed } from '../../harness/seed.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/**
 * Outer limits of a run and of its test. A run ends much earlier, with a reason: each of its waits ends when its programs
 * have done nothing for a while. A busy machine starts, heals and reads slowly, so nine minutes were too few for three.
 */
const RUN_LIMIT_MS = 1_740_000;
const TEST_LIMIT_MS = 1_800_000;
const SIZE = ['--accounts', '50', '--channels', '20', '--members', '5', '--lines', '4', '--minutes', '3'];

test(
  'while three processes, bouncer, network and database are killed, frozen and cut off for minutes, no account misses, doubles or invents anything',
  () => expectNoViolation(...SIZE),
  TEST_LIMIT_MS,
);

test(
  'a synchronous replica that is promoted at the same address, while three processes serve, has every line, acknowledgement, event and send once',
  () => expectNoViolation('--replica', 'synchronous', '--minutes', '1.5'),
  TEST_LIMIT_MS,
);

/** Each commit is tried with another seed, the same commit again with the same one. */
function seedOfCommit(): string {
  const seed = chosenSeed();
  if (seed !== undefined) return String(seed);
  const hash = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return String(1 + (Number.parseInt(hash.slice(0, 8), 16) % 1_000_000));
}

/** Expects a run in which all is as it must be. */
async function expectNoViolation(...words: string[]): Promise<void> {
  await using folder = await tempFolder();
  const command = ['bench/main.ts', 'soak', ...words, '--seed', seedOfCommit(), '--logs', join(folder.path, 'logs')];
  const { stdout, stderr, exitCode } = await execa(process.execPath, command, { timeout: RUN_LIMIT_MS, reject: false });
  // The report has the seed, and each violation with its time and ids.
  console.log(`${stderr}\n${stdout}`);
  expect(stdout).toContain('no violation');
  expect(exitCode).toBe(0);
}
