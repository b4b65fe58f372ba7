import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../kernel/errors.ts';
import { PtyUnavailableError } from '../errors.ts';

/** A function of the C library; numbers, strings, byte arrays and lists of strings go in, a number comes out. */
export type CFunction = (...args: unknown[]) => number;

/** The C library of this machine. */
export interface Library {
  /** @throws PtyUnavailableError when the library has no such function */
  find(prototype: string): CFunction;
  /** Undefined when the library has no such function: an old one. */
  findNew(prototype: string): CFunction | undefined;
  /** `errno` of the last call. */
  lastError(): number;
  /** `ENOENT` and the like. */
  errorName(errno: number): string;
}

interface Koffi {
  load(library: string): { func(prototype: string): CFunction };
  errno(): number;
  os: { errno: Record<string, number> };
}

const C_LIBRARY = 'libc.so.6';

/**
 * The C library; koffi is loaded when this is called, not before.
 * @throws PtyUnavailableError when either cannot be loaded
 */
export function loadLibrary(): Library {
  const koffi = loadKoffi();
  const library = attempt(`the C library ${C_LIBRARY} can't be loaded`, () => koffi.load(C_LIBRARY));
  return {
    find: (prototype) => attempt(`the C library ${C_LIBRARY} lacks a function`, () => library.func(prototype)),
    findNew: (prototype) => {
      try {
        return library.func(prototype);
      } catch {
        return undefined;
      }
    },
    lastError: () => koffi.errno(),
    errorName: (errno) => Object.entries(koffi.os.errno).find(([, value]) => value === errno)?.[0] ?? `errno ${errno}`,
  };
}

function loadKoffi(): Koffi {
  return attempt('the npm package koffi is missing or not built for this machine, run npm ci', () => {
    // In a bundle this is the bundle's file, not this source file.
    const file = fileURLToPath(import.meta.url);
    return loadNativePart(dirname(file)) ?? (createRequire(file)('koffi') as Koffi);
  });
}

/**
 * The native part of koffi without the package around it: the package needs ten times as long to find it as this takes
 * to load it. Undefined when it is not where npm puts it, or when this machine needs another build.
 */
function loadNativePart(folder: string): Koffi | undefined {
  const path = `node_modules/@koromix/koffi-linux-${process.arch}/linux_${process.arch}/koffi.node`;
  const file = join(folder, path);
  if (existsSync(file)) {
    try {
      const part: { exports: Partial<Koffi> } = { exports: {} };
      process.dlopen(part, file);
      return part.exports as Koffi;
    } catch {
      return undefined;
    }
  }
  return folder === dirname(folder) ? undefined : loadNativePart(dirname(folder));
}

/** Failures of loaders have several lines; the first says what is wrong. */
function attempt<T>(what: string, load: () => T): T {
  try {
    return load();
  } catch (cause) {
    throw new PtyUnavailableError(`${what}: ${messageOf(cause).split('\n')[0]}`, { cause });
  }
}
