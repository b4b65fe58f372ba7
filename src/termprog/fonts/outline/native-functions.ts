import type { CFunction, NativeLibrary } from '../../native/load-koffi.ts';

/** Bound functions by their names in a table of prototypes. */
export type NativeFunctions<Prototypes> = { readonly [Name in keyof Prototypes]: CFunction };

/** Binds the functions of a library; each is looked up on first use, because the start needs few of them. */
export function bindFunctions<Prototypes extends Readonly<Record<string, string>>>(
  library: NativeLibrary,
  prototypes: Prototypes,
): NativeFunctions<Prototypes> {
  const functions = {};
  for (const [name, prototype] of Object.entries(prototypes)) {
    Object.defineProperty(functions, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = library.func(prototype);
        Object.defineProperty(functions, name, { value });
        return value;
      },
    });
  }
  return functions as NativeFunctions<Prototypes>;
}
