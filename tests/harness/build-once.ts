import { execFileSync } from 'node:child_process';

/** The tests run the built programs, so the build is of the sources at hand. */
export default function buildOnce(): void {
  execFileSync(process.execPath, ['scripts/build.ts'], { stdio: ['ignore', 'inherit', 'inherit'] });
}
