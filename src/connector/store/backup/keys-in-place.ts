import { linkSync } from 'node:fs';
import type { Keys } from '../../ports/keys.ts';
import { alsoOpening, textOf } from '../key-file.ts';
import { keyFileIn, putStateKeys, readStateKeys } from '../state-keys.ts';

/** Puts keys into the state directory, in two steps around the change of the database. */
export interface KeysInPlace {
  /**
   * Puts keys in place that open both the old database and the restored one.
   * @returns path at which the old keys are kept
   */
  openBoth(): string | undefined;
  /** Puts the keys of the backup alone in place. */
  finish(): void;
}

/**
 * Replaces the keys around a change of the database. Both can't change in one step. So the old keys come first with
 * those of the backup behind them, as after a replacement of keys, and open both databases wherever this is
 * interrupted.
 * @param aside suffix of the name under which the old keys are kept
 */
export function keysInPlace(stateDirectory: string, keys: Keys, aside: string): KeysInPlace {
  const before = readStateKeys(stateDirectory);
  if (before !== undefined && textOf(before) === textOf(keys)) {
    return { openBoth: () => undefined, finish: () => undefined };
  }
  return {
    openBoth: () => {
      if (before === undefined) {
        putStateKeys(stateDirectory, keys);
        return undefined;
      }
      const kept = `${keyFileIn(stateDirectory)}${aside}`;
      linkSync(keyFileIn(stateDirectory), kept);
      putStateKeys(stateDirectory, alsoOpening(before, keys));
      return kept;
    },
    finish: () => putStateKeys(stateDirectory, keys),
  };
}
