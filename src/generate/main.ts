/** Writes the files that are derived from the schemas; with `--check` it only lists those that are out of date. */
import { join } from 'node:path';
import { staleFiles, writeOutputs } from './files.ts';
import { generatedFiles, generatedFolders } from './outputs.ts';

const root = join(import.meta.dirname, '../..');
const args = process.argv.slice(2);
const unknown = args.find((arg) => arg !== '--check');

if (unknown !== undefined) {
  process.stderr.write(`generate: unknown argument ${unknown} (the only one is --check)\n`);
  process.exitCode = 64;
} else if (args.length === 0) {
  for (const path of writeOutputs(root, generatedFiles())) process.stdout.write(`wrote ${path}\n`);
  leftOver(staleFiles(root, generatedFiles(), generatedFolders));
} else {
  const stale = staleFiles(root, generatedFiles(), generatedFolders);
  for (const path of stale) process.stderr.write(`${path} is not what the schemas say: run npm run generate\n`);
  if (stale.length > 0) process.exitCode = 1;
}

/** Reports files that are not generated any more: the author deletes them by hand. */
function leftOver(paths: readonly string[]): void {
  for (const path of paths) process.stderr.write(`${path} is no longer generated: delete it\n`);
  if (paths.length > 0) process.exitCode = 1;
}
