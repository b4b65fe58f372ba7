import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { scratchFolder } from '../build/scratch-folder.ts';

const BYTES_PER_MB = 1_000_000;
const PACK_DEADLINE_MS = 120_000;

/**
 * Packs the npm package with the content of `dist/` into a folder, in which it appears when it is complete.
 * @throws {Error} where the build is missing
 */
export async function packForNpm(folder: string): Promise<void> {
  if (!existsSync('dist/.stamp')) throw new Error('dist/.stamp is missing: run npm run build');
  using unfinished = scratchFolder(folder, '.unfinished-');
  const { stdout } = await execa(
    'npm',
    ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', unfinished.path],
    { timeout: PACK_DEADLINE_MS },
  );
  const name = stdout.trim();
  renameSync(join(unfinished.path, name), join(folder, name));
  printSize(`${folder}/${name}`);
}

/** Prints a line about a file that was made. */
export function printSize(file: string): void {
  console.log(`${file}: ${(statSync(file).size / BYTES_PER_MB).toFixed(1)} MB`);
}
