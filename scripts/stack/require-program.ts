import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** @throws Error that says how to get the program, when it is nowhere on PATH */
export async function requireProgram(program: string): Promise<void> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const found = await access(join(directory, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return;
  }
  throw new Error(`${program} is not installed: run scripts/setup, which installs what the demo and the tests need`);
}
