import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file of the build. A program that starts meanwhile finds the old file or the new one, and never a half of
 * one: only one build of a checkout runs at a time, by `lockBuild`. The same is so after a loss of power: V8 crashes on
 * compiled functions with a blank page.
 */
export function writeWhole(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(`${file}.new`, 'w');
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(`${file}.new`, file);
}
