import { messageOf } from '../../kernel/errors.ts';
import { PtyUnavailableError } from '../errors.ts';
import { type CFunction, loadKoffi } from '../native/load-koffi.ts';

export type { CFunction };

/** The C library of this machine. */
export interface Library {
  /** @throws PtyUnavailableError when the library has no such function */
  find(prototype: string): CFunction;
  /** Undefined when the library has no such function because it is too old. */
  findNew(prototype: string): CFunction | undefined;
  /** `errno` of the last call. */
  lastError(): number;
  /** Returns a name such as `ENOENT`. */
  errorName(errno: number): string;
}

const C_LIBRARY = 'libc.so.6';

/**
 * Loads the C library; koffi is loaded with the first call.
 * @throws PtyUnavailableError when either cannot be loaded
 */
export function loadLibrary(): Library {
  const koffi = attempt(
    'the npm package koffi is missing or not built for this machine, install Homeport again with its packages',
    loadKoffi,
  );
  const library = attempt(`the C library ${C_LIBRARY} can't be loaded`, () => koffi.load(C_LIBRARY));
  return {
    find: (prototype) => attempt(`the C library ${C_LIBRARY} lacks a function`, () => library.func(prototype)),
    findNew: (prototype) => {
      try {
        return library.func(prototype);
      } catch {
        // Older versions of the C library lack the function.
        return undefined;
      }
    },
    lastError: () => koffi.errno(),
    errorName: (errno) => Object.entries(koffi.os.errno).find(([, value]) => value === errno)?.[0] ?? `errno ${errno}`,
  };
}

/** Rethrows with the first line of the loader's message, which names the fault. */
function attempt<T>(what: string, load: () => T): T {
  try {
    return load();
  } catch (cause) {
    throw new PtyUnavailableError(`${what}: ${messageOf(cause).split('\n')[0]}`, { cause });
  }
}
