import { createHash } from 'node:crypto';
import { chosenCommit } from '../../scripts/test/chosen-commit.ts';
import { chosenSeed } from './seed.ts';

/** Number for the turns, which the commit's hash, or `FUZZ_SEED`, decides. */
const numberOfTurn = (): number => chosenSeed() ?? digits(chosenCommit(), 0);

/** Another one for the slices: with the same, a file would see only those slices that come at its turn. */
function numberOfSlice(): number {
  const seed = chosenSeed();
  return digits(seed === undefined ? chosenCommit() : createHash('sha1').update(String(seed)).digest('hex'), 1);
}

/** The first, second and so on eight digits of a hash. */
const digits = (hash: string, part: number): number => Number.parseInt(hash.slice(8 * part, 8 * part + 8), 16);

/**
 * `count` neighbours of `all`, from a place that the commit decides: each commit proves another part, and a run of the
 * same commit proves the same part again.
 */
export function sliceOfCommit<T>(all: readonly T[], count: number): T[] {
  if (all.length === 0) return [];
  const offset = numberOfSlice() % all.length;
  return [...all, ...all].slice(offset, offset + Math.min(count, all.length));
}

/** Every `turns`th of `all`, from a first one that the commit decides: neighbours have their turns at different commits. */
export function turnOfCommit<T>(all: readonly T[], turns: number): T[] {
  const offset = numberOfTurn() % turns;
  return all.filter((_, n) => n % turns === offset);
}
