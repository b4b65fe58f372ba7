import type { CFunction, NativeLibrary } from '../../native/koffi.ts';

/** The functions of a table of prototypes, by the names of the table. */
export type NativeFunctions<Prototypes> = { readonly [Name in keyof Prototypes]: CFunction };

/** Functions of a library; each is looked up when it is first called for, since most are not needed to begin with. */
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
