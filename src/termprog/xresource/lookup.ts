import { decodeIn, type TextLocale } from './locale-charset.ts';
import type { ResourceDatabase } from './resource-database.ts';
import { parseResources } from './resource-syntax.ts';
import type { ProgramName } from './sources.ts';

/** The resources of widgets that no row describes, such as `*SimpleMenu*font` and those of the scrollbar. */
export interface ResourceLookup {
  /**
   * Returns the value of a resource below the program; undefined when no source sets it.
   * @param names of the widgets and the resource, such as `['vt100', 'scrollbar', 'width']`
   * @param classes the same levels as classes
   */
  lookup(names: readonly string[], classes: readonly string[]): string | undefined;
  /**
   * Returns the resources under a locale: class defaults are those of its language, and values are in its character
   * set.
   * @param builtIn lines of resources that apply if no source has the same specifier
   */
  inLocale(locale: TextLocale, builtIn: string): Pick<ResourceLookup, 'lookup'>;
  /** Returns the value of a resource that all programs with outline fonts share, such as `dpi` of `Xft.dpi`. */
  xft(name: string): string | undefined;
}

/** @param collectIn collects the sources again for another language; by default the sources are those of the start */
export function createLookup(
  database: ResourceDatabase,
  program: ProgramName,
  collectIn: (language: string) => ResourceDatabase = () => database,
): ResourceLookup {
  return {
    lookup: (names, classes) =>
      database.lookup({ names: [program.instance, ...names], classes: [program.class, ...classes] })?.value,
    inLocale: (locale, builtIn) => {
      const localized = collectIn(locale.name);
      localized.putBelow(parseResources(builtIn), 'built-in resources');
      return {
        lookup: (names, classes) => {
          const found = localized.lookup({
            names: [program.instance, ...names],
            classes: [program.class, ...classes],
          });
          return found && decodeIn(locale, found.value, found.bytes);
        },
      };
    },
    // The classes are those of XGetDefault(3).
    xft: (name) => database.lookup({ names: ['Xft', name], classes: ['Program', 'Name'] })?.value,
  };
}
