import { pathOf, printable, type ResolvedResource } from './resolve.ts';
import { escapeValue } from './resource-syntax.ts';
import type { ProgramName } from './sources.ts';

/**
 * The configuration in force as a resource file: each resource on a line, its source as a comment on the line before.
 * A resource that is unset is a comment too, because a line without a value would set it to the empty string; so is
 * the request for this report, because a terminal that reads it back would never open.
 */
export function formatReport(resolved: readonly ResolvedResource[], program: ProgramName): string {
  return resolved
    .flatMap((resource) => {
      const path = pathOf(resource.row, program);
      const comment = `! ${printable(sourceOf(resource))}`;
      if (resource.value === undefined) return [comment, `! ${path} is unset`];
      const line = `${path}: ${escapeValue(resource.value)}`;
      return [comment, resource.row.name === 'reportConfig' ? `! ${line}` : line];
    })
    .join('\n');
}

function sourceOf({ origin, refused, row }: ResolvedResource): string {
  const effect = row.pending ? ' (no effect in this version)' : '';
  if (origin !== undefined) return `${origin.source}: ${origin.specifier}${effect}`;
  if (refused !== undefined) return `default, because "${refused.value}" from ${refused.source} can't be used${effect}`;
  return `default${effect}`;
}
