import type { z } from 'zod';
import { branchKeys, branchOf, keysAt, pathText } from './schema-walk.ts';

type Issue = z.core.$ZodIssue;

/** Lines `path: expected …, received …` of one validation issue; the unused alternatives of a choice say nothing. */
export function problemsOf(issue: Issue, root: z.ZodType): string[] {
  const path = pathText(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(root, issue.path);
    return issue.keys.map((key) => `${pathText([...issue.path, key])}: unknown option${hint(key, known)}`);
  }
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.map((errors) => errors.filter((error) => error.code !== 'unrecognized_keys'));
    const chosen = branchOf(issue.input, root, issue.path);
    if (chosen !== undefined) {
      const inner = (issue.errors[chosen] ?? []).map(
        (error) => ({ ...error, path: [...issue.path, ...error.path] }) as Issue,
      );
      return inner.flatMap((error) => problemsOf(error, root));
    }
    const names = branchKeys(root, issue.path);
    if (names.length > 0)
      return [
        `${path}: expected one of ${names.map((name) => `{ ${name} }`).join(' or ')}, received ${shown(issue.input, path)}`,
      ];
    return [`${path}: expected ${branches.flat().map(expected).join(' or ')}, received ${shown(issue.input, path)}`];
  }
  return [`${path}: expected ${expected(issue)}, received ${shown(issue.input, path)}`];
}

/** What the option must be, in words. */
function expected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return article(issue.expected);
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return `${sized(issue.origin, 'at least', Number(issue.minimum))}`;
    case 'too_big':
      return `${sized(issue.origin, 'at most', Number(issue.maximum))}`;
    default:
      return issue.message;
  }
}

function sized(origin: string, relation: string, bound: number): string {
  const unit = { string: 'character', array: 'item' }[origin];
  return unit === undefined
    ? `a number of ${relation} ${bound}`
    : `${relation} ${bound} ${unit}${bound === 1 ? '' : 's'}`;
}

function article(type: string): string {
  const names: Record<string, string> = {
    int: 'a whole number',
    array: 'a list',
    object: 'an object',
    record: 'an object',
  };
  return names[type] ?? `a ${type}`;
}

/** The value received; its type only where it could be a secret pasted into the wrong place. */
function shown(input: unknown, path: string): string {
  if (input === undefined) return 'nothing';
  if (input === null) return 'null';
  if (Array.isArray(input)) return `a list of ${input.length}`;
  if (typeof input === 'object') return `an object with ${Object.keys(input).join(', ') || 'no keys'}`;
  if (input !== '' && /(file|secret|token|password)$/i.test(path)) {
    return `a ${typeof input} that is not repeated, in case it is a secret`;
  }
  const text = JSON.stringify(input);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function hint(key: string, known: readonly string[]): string {
  const near = known
    .map((name) => ({ name, distance: editDistance(key.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return near !== undefined && near.distance <= Math.max(1, key.length / 3) ? `, did you mean ${near.name}?` : '';
}

/** Levenshtein distance; both texts are option names, a few dozen characters at most. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
