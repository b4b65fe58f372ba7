import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The environment of one process whose wall clock is off by so much: the machine's can't be set for it. @param folder for a file */
export async function clockShiftedBy(folder: string, seconds: number): Promise<Record<string, string>> {
  const file = join(folder, `clock-${seconds}.mjs`);
  await writeFile(file, `const { now } = Date;\nDate.now = () => now() + ${seconds * 1_000};\n`);
  return { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` };
}
