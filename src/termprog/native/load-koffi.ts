import { fileURLToPath } from 'node:url';
import { type Koffi, loadKoffiFor } from '../../kernel/native/koffi.ts';

export type { CFunction, Koffi, NativeLibrary } from '../../kernel/native/koffi.ts';

/** Calls C libraries. @throws Error when the package is missing or was not built for this machine */
export function loadKoffi(): Koffi {
  // In a bundle this is the bundle's file, not this source file.
  return loadKoffiFor(fileURLToPath(import.meta.url));
}
