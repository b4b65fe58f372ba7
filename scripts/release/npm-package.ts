import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';

const BYTES_PER_MB = 1_000_000;
const PACK_DEADLINE_MS = 120_000;

/** Packs the npm package with the content of `dist/` into a folder, in which it appears when it is complete. */
export async function packForNpm(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const unfinished = mkdtempSync(join(folder, '.unfinished-'));
  try {
    const { stdout } = await execa(
      'npm',
      ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', unfinished],
      { timeout: PACK_DEADLINE_MS },
    );
    const name = stdout.trim();
    renameSync(join(unfinished, name), join(folder, name));
    printSize(`${folder}/${name}`);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Prints a line about a file that was made. */
export function printSize(file: string): void {
  console.log(`${file}: ${(statSync(file).size / BYTES_PER_MB).toFixed(1)} MB`);
}
