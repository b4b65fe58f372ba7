import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files that come with the terminal: below the prefix of a package, and below the root of a checkout. */
export type ShippedFile = 'share/termprog/example.Xresources' | 'share/X11/app-defaults/Term';

/** The path of a file that comes with the terminal. Undefined in a package that lacks it. */
export function shippedFile(name: ShippedFile): string | undefined {
  // In a bundle this is the bundle's file, not this source file.
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const file = join(folder, name);
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) return undefined;
    folder = dirname(folder);
  }
}
