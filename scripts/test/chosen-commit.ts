import { execFileSync } from 'node:child_process';

/** Names the commit that chooses among the tests, also for the second looks: someone may commit meanwhile. */
export const COMMIT_VARIABLE = 'HOMEPORT_TESTS_COMMIT';

/** Hash of the commit that chooses among the tests: 40 digits or more, base 16. Without git they are all 0. */
export function chosenCommit(): string {
  const chosen = process.env[COMMIT_VARIABLE];
  if (chosen !== undefined) return chosen;
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '0'.repeat(40);
  }
}
