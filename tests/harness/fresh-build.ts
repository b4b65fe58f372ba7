import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A build takes seconds, and another run of tests may be building. */
const BUILD_DEADLINE_MS = 300_000;

/**
 * Builds under a lock, unless what `dist/` holds is newer than its sources; then it costs a few milliseconds. What comes
 * from the future was built before the clock was set back, and proves nothing.
 */
const BUILD_IF_STALE = `
[ -f dist/.stamp ] && [ -z "$(find src schemas scripts/build package.json -newer dist/.stamp -print -quit)" ] &&
  [ -z "$(find dist/.stamp -newermt now)" ] && exit
exec "$1" scripts/build/main.ts`;

/**
 * Tests start programs as users do: from `bin/`, which runs what was built. Set-up builds before `npm test`; this file
 * serves those who run vitest alone.
 */
export default async function setup(): Promise<void> {
  try {
    const build = ['sh', '-c', BUILD_IF_STALE, 'sh', process.execPath];
    await run('flock', ['scripts/build/main.ts', ...build], { timeout: BUILD_DEADLINE_MS });
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new Error(`the programs can't be built from these sources, so there is nothing to test:\n${output}`);
  }
}
