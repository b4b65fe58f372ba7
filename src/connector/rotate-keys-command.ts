import type { ConnectorConfig } from '../../schemas/connector.ts';
import { StartError } from '../kernel/errors.ts';
import type { ReadSecret } from './database-choice.ts';
import { readKeys } from './secrets.ts';
import { keysAfter, textOf } from './store/key-file.ts';
import { keyFileIn, rotateStateKeys } from './store/state-keys.ts';

const NEXT =
  'the keys are replaced: restart homeport-connector. It encrypts everything anew while it serves, says so in its log, and then forgets the earlier keys.\n';

/** A process of another machine makes no keys of its own: two that have different new ones can't read each other's. */
const shared = (stateDirectory: string): string =>
  `where other processes use the same database, copy ${keyFileIn(stateDirectory)} to the state directory of each, restart them in any order, and run this command at no other one\n`;

/**
 * Replaces the keys of the state directory; if the owner keeps them in a file, prints its new content. Returns the exit
 * status.
 * @throws StartError
 */
export function runRotateKeys({ database, keysFile, stateDirectory }: ConnectorConfig, readSecret: ReadSecret): number {
  if (keysFile === undefined) {
    rotateStateKeys(stateDirectory);
    process.stdout.write('postgres' in database ? `${NEXT}${shared(stateDirectory)}` : NEXT);
    return 0;
  }
  const keys = keysAfter(readKeys(keysFile, readSecret));
  if (process.stdout.isTTY) {
    throw new StartError(
      'keysFile: the keys are in a file of yours, and new ones are secret: write them to a file, as in `umask 077; homeport-connector rotate-keys > new-keys.json`',
    );
  }
  process.stdout.write(`${textOf(keys)}\n`);
  return 0;
}
