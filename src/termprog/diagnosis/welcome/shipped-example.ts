import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Place of the example below the prefix of a package, and below the root of a checkout. */
const EXAMPLE = 'share/termprog/example.Xresources';

/** The path of the example resource file. Undefined in a package that lacks it. */
export function shippedExample(): string | undefined {
  // In a bundle this is the bundle's file, not this source file.
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const file = join(folder, EXAMPLE);
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) return undefined;
    folder = dirname(folder);
  }
}
