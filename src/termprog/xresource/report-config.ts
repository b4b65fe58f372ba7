import { printable } from '../diagnostics.ts';
import { pathOf, type ResolvedResource } from './resolve-resources.ts';
import { escapeValue, parseSpecifier } from './resource-syntax.ts';
import type { ProgramName } from './sources.ts';

/**
 * Whether a name has characters that a component can't contain: a colon or a control character; a sign of another kind of
 * line at the start; blanks around it.
 */
const isUnwritable = (name: string): boolean => /[:\p{Cc}]|^[!#\s]|\s$/u.test(name);

/**
 * Formats the configuration in force as a resource file: each resource on a line, its source as a comment on the line
 * before. An unset resource is a comment too, because a line without a value would set it to the empty string; so is
 * the request for this report, because a terminal that reads it back would never open.
 * @param note information for the reader; a comment before everything else
 */
export function formatReport(resolved: readonly ResolvedResource[], program: ProgramName, note?: string): string {
  const head = writableHead(program);
  const lines = resolved
    .flatMap((resource) => {
      const path = pathOf(resource.row, { ...program, instance: head });
      const comment = `! ${printable(sourceOf(resource))}`;
      if (resource.value === undefined) return [comment, `! ${path} is unset`];
      const line = `${path}: ${escapeValue(resource.value, resource.bytes)}`;
      return [comment, resource.row.name === 'reportConfig' ? `! ${line}` : line];
    })
    .join('\n');
  return note === undefined ? lines : `! ${printable(note)}\n${lines}`;
}

/** Returns the program's name if a resource file can hold it; a name from an option may contain separators. */
function writableHead({ instance, class: className }: ProgramName): string {
  const isWritable = (name: string): boolean => parseSpecifier(name)?.[0]?.component === name && !isUnwritable(name);
  return [instance, className].find(isWritable) ?? '?';
}

function sourceOf({ origin, refused }: ResolvedResource): string {
  if (origin !== undefined) return `${origin.source}: ${origin.specifier}`;
  if (refused !== undefined) return `default, because "${refused.value}" from ${refused.source} can't be used`;
  return 'default';
}
