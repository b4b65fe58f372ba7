import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Puts a shell script under a program's name into a folder; returns its path. */
export function writeProgram(folder: string, name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}
