import { accessSync, constants, statSync } from 'node:fs';

/** The path, if there is a directory that a program can run in; undefined otherwise. */
export function existingDirectory(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isDirectory() ? path : undefined;
  } catch {
    return undefined;
  }
}
