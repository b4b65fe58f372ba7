import { accessSync, constants, statSync } from 'node:fs';

/** Whether a path is that of an executable file; a folder is not, though its mode looks like it. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // The path is absent, inaccessible or not executable.
    return false;
  }
}
