import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** Names the commit that chooses among the tests, also for the second looks: someone may commit meanwhile. */
export const COMMIT_VARIABLE = 'HOMEPORT_TESTS_COMMIT';

/**
 * Hash of the commit that chooses among the tests: 40 digits or more, base 16. Where git tells none, as in a checkout of
 * another user, it is the date's, so that each day chooses others.
 * @throws Error if the variable names anything else than a hash: then it would choose no tests at all
 */
export function chosenCommit(): string {
  const chosen = process.env[COMMIT_VARIABLE];
  if (chosen !== undefined && !/^[0-9a-f]{40,}$/.test(chosen))
    throw new Error(`${COMMIT_VARIABLE}: expected the hash of a commit, received ${JSON.stringify(chosen)}`);
  return chosen ?? hashOfHead() ?? createHash('sha1').update(new Date().toISOString().slice(0, 10)).digest('hex');
}

function hashOfHead(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
