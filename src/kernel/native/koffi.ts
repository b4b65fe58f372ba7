import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A function of a C library; numbers, strings, typed arrays and lists of strings go in, a number comes out. */
export type CFunction = (...args: unknown[]) => number;

/** A C library that was loaded. */
export interface NativeLibrary {
  /** @throws Error when the library has no such function */
  func(prototype: string): CFunction;
}

/** The functions that are used of the npm package `koffi`. Addresses are numbers: those of a process fit. */
export interface Koffi {
  /** @throws Error when there is no such library */
  load(library: string): NativeLibrary;
  errno(): number;
  os: { errno: Record<string, number> };
  /** The memory at an address itself, not a copy; it must not be accessed after its owner has freed it. */
  view(address: bigint, bytes: number): ArrayBuffer;
  decode: { string(address: bigint): string };
}

/**
 * The package that calls C libraries; it is loaded when this is called, not before.
 * @param file a file of the program: the package is in a `node_modules` beside or above it
 * @throws Error when it is missing or was not built for this machine
 */
export function loadKoffiFor(file: string): Koffi {
  return loadNativePart(dirname(file)) ?? (createRequire(file)('koffi') as Koffi);
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
      // The caller loads the package, which reports why it can't be loaded.
      return undefined;
    }
  }
  return folder === dirname(folder) ? undefined : loadNativePart(dirname(folder));
}
