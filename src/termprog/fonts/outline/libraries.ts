import { messageOf } from '../../../kernel/errors.ts';
import type { Diagnostics } from '../../diagnostics.ts';
import { OutlineFontsUnavailableError } from '../../errors.ts';
import { type CFunction, type Koffi, loadKoffi, type NativeLibrary } from '../../native/load-koffi.ts';
import type { NativeLibraries } from '../../native-libraries.ts';
import { FONTCONFIG_PROTOTYPES } from './fontconfig.ts';
import { FREETYPE_PROTOTYPES } from './freetype.ts';
import { HARFBUZZ_PROTOTYPES } from './harfbuzz.ts';
import { bindFunctions, type NativeFunctions } from './native-functions.ts';

/** Architectures on which the structures of the libraries have the offsets given here: 64-bit, little-endian. */
const ARCHITECTURES: readonly string[] = ['x64', 'arm64', 'riscv64', 'loong64'];

const C_LIBRARY = 'libc.so.6';

/** Memory of the libraries. */
export interface NativeMemory {
  /** Copies the bytes at an address. */
  copy(address: number, bytes: number): Uint8Array<ArrayBuffer>;
  /** Returns the text at an address, up to its zero byte. */
  text(address: bigint): string;
}

/** The libraries that find, draw and shape. */
export interface OutlineLibraries {
  readonly memory: NativeMemory;
  readonly fontconfig: NativeFunctions<typeof FONTCONFIG_PROTOTYPES>;
  readonly freetype: NativeFunctions<typeof FREETYPE_PROTOTYPES>;
  /** Loaded by the first call; undefined when it is unavailable. */
  harfbuzz(): NativeFunctions<typeof HARFBUZZ_PROTOTYPES> | undefined;
}

/**
 * Loads the two libraries that outline fonts require.
 * @throws OutlineFontsUnavailableError when one is missing, and on another architecture
 */
export function loadOutlineLibraries(
  libraries: NativeLibraries,
  diagnostics: Pick<Diagnostics, 'warning'>,
): OutlineLibraries {
  if (!ARCHITECTURES.includes(process.arch)) {
    throw new OutlineFontsUnavailableError(`outline fonts need a 64-bit machine, this one is ${process.arch}`);
  }
  const koffi = attempt(
    'the npm package koffi is missing or not built for this machine, install Homeport again with its packages',
    loadKoffi,
  );
  const load = (name: string): NativeLibrary => attempt(`${name} can't be loaded`, () => koffi.load(name));
  const fontconfig = load(libraries.fontconfig);
  const freetype = load(libraries.freetype);
  let harfbuzz: NativeFunctions<typeof HARFBUZZ_PROTOTYPES> | undefined;
  let isHarfbuzzTried = false;
  return {
    memory: createMemory(koffi, load(C_LIBRARY)),
    fontconfig: bindFunctions(fontconfig, FONTCONFIG_PROTOTYPES),
    freetype: bindFunctions(freetype, FREETYPE_PROTOTYPES),
    harfbuzz: () => {
      if (isHarfbuzzTried) return harfbuzz;
      isHarfbuzzTried = true;
      try {
        const functions = bindFunctions(koffi.load(libraries.harfbuzz), HARFBUZZ_PROTOTYPES);
        // All functions are resolved now, so that a missing one is found here and not by a later call.
        Object.values(functions);
        harfbuzz = functions;
      } catch (error) {
        const [reason] = messageOf(error).split('\n');
        diagnostics.warning(
          `clusters are drawn character by character: ${libraries.harfbuzz} can't be used: ${reason}`,
        );
      }
      return harfbuzz;
    },
  };
}

function createMemory(koffi: Koffi, library: NativeLibrary): NativeMemory {
  const copy: CFunction = library.func('uintptr_t memcpy(void *to, uintptr_t from, size_t bytes)');
  return {
    copy: (address, bytes) => {
      const copied = new Uint8Array(bytes);
      if (bytes > 0) copy(copied, address, bytes);
      return copied;
    },
    text: (address) => koffi.decode.string(address),
  };
}

/** Rethrows with the first line of the loader's message, which names the fault. */
function attempt<T>(what: string, load: () => T): T {
  try {
    return load();
  } catch (cause) {
    throw new OutlineFontsUnavailableError(`${what}: ${messageOf(cause).split('\n')[0]}`, { cause });
  }
}
