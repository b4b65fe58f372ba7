import type { ResourceDatabase } from './database.ts';
import type { ProgramName } from './sources.ts';

/** The resources of widgets that no row describes, such as `*SimpleMenu*font` and those of the scrollbar. */
export interface ResourceLookup {
  /**
   * The value of a resource below the program, undefined when no source sets it.
   * @param names of the widgets and the resource, such as `['vt100', 'scrollbar', 'width']`
   * @param classes the same levels as classes
   */
  lookup(names: readonly string[], classes: readonly string[]): string | undefined;
  /** The value of a resource of all programs that draw with outline fonts, such as `dpi` of `Xft.dpi`. */
  xft(name: string): string | undefined;
}

export function createLookup(database: ResourceDatabase, program: ProgramName): ResourceLookup {
  return {
    lookup: (names, classes) =>
      database.lookup({ names: [program.instance, ...names], classes: [program.class, ...classes] })?.value,
    // The classes are those of XGetDefault(3).
    xft: (name) => database.lookup({ names: ['Xft', name], classes: ['Program', 'Name'] })?.value,
  };
}
