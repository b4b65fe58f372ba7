import { parseSpecifier } from '../../xresource/resource-syntax.ts';
import type { SuggestedResource } from './suggestion.ts';

/** Replaces an instance name that a resource file can't hold; it matches any name. */
const ANY = '?';

/**
 * Formats lines of a resource file. They use tight bindings and names, so that they outweigh other forms in the file.
 */
export function resourceLines(suggested: readonly SuggestedResource[], instance: string): string[] {
  const head = parseSpecifier(instance)?.length === 1 && /^[\w-]+$/.test(instance) ? instance : ANY;
  return suggested.map(({ name, value }) => `${head}.vt100.${name}: ${value}`);
}
