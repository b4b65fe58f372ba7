import { execFileSync } from 'node:child_process';
import { chosenSeed } from './seed.ts';

/**
 * Returns the offset at which slices begin: a number made of the commit's hash, or of `FUZZ_SEED`. Without git it is 0.
 */
function offsetOfCommit(): number {
  const seed = chosenSeed();
  if (seed !== undefined) return seed;
  try {
    const hash = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number.parseInt(hash.slice(0, 8), 16);
  } catch {
    return 0;
  }
}

/**
 * `count` neighbours of `all`, from a place that the commit decides: each commit proves another part, and a run of the
 * same commit proves the same part again.
 */
export function sliceOfCommit<T>(all: readonly T[], count: number): T[] {
  if (all.length === 0) return [];
  const offset = offsetOfCommit() % all.length;
  return [...all, ...all].slice(offset, offset + Math.min(count, all.length));
}

/** Every `turns`th of `all`, from a first one that the commit decides: neighbours have their turns at different commits. */
export function turnOfCommit<T>(all: readonly T[], turns: number): T[] {
  const offset = offsetOfCommit() % turns;
  return all.filter((_, n) => n % turns === offset);
}
