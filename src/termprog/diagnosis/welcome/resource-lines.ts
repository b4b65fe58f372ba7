import { parseSpecifier } from '../../xresource/resource-syntax.ts';
import type { SuggestedResource } from './suggestion.ts';

/** An instance name that a resource file can hold; others stand for any. */
const ANY = '?';

/** Lines of a resource file. They are tight and by name, so that they count more than what the file has in another form. */
export function resourceLines(suggested: readonly SuggestedResource[], instance: string): string[] {
  const head = parseSpecifier(instance)?.length === 1 && /^[\w-]+$/.test(instance) ? instance : ANY;
  return suggested.map(({ name, value }) => `${head}.vt100.${name}: ${value}`);
}
