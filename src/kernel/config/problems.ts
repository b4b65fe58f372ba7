import type * as z from 'zod/v4/core';
import { namedMembers, nodeAt, pathText } from './schema-paths.ts';
import type { SchemaNode } from './schema-tree.ts';

type Issue = z.$ZodIssue;

/** Lines `path: expected …, received …` of one validation issue; alternatives that were not chosen add no lines. */
export function problemsOf(issue: Issue, root: SchemaNode): string[] {
  const path = pathText(issue.path);
  const node = nodeAt(root, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const known = namesIn(node);
    return issue.keys.map((key) => `${pathText([...issue.path, key])}: unknown option${hint(key, known)}`);
  }
  if (issue.code === 'invalid_key') {
    const [name, section] = [issue.path.at(-1), pathText(issue.path.slice(0, -1))];
    return [
      `${section}: expected names of ${issue.issues.map(expected).join(', ')}, received the name ${JSON.stringify(name)}`,
    ];
  }
  const received = shown(issue.input, node?.meta.secret === true);
  if (issue.code === 'invalid_union') {
    const names = namesIn(node);
    const chosen = issue.errors[chosenOf(issue.input, names)];
    if (chosen !== undefined) {
      return chosen.flatMap((error) => problemsOf({ ...error, path: [...issue.path, ...error.path] } as Issue, root));
    }
    const choices = names.map((name) => `{ ${name} }`).join(' or ');
    return [`${path}: expected one of ${choices}, such as ${exampleOf(node)}, received ${received}`];
  }
  return [`${path}: expected ${expected(issue)}, received ${received}`];
}

/** Names of the options that are valid at this node. */
function namesIn(node: SchemaNode | undefined): string[] {
  return node === undefined ? [] : [...namedMembers(node.shape).keys()];
}

/** The first alternative with its required options, as JSON. */
function exampleOf(node: SchemaNode | undefined): string {
  const [first] = node === undefined ? [] : namedMembers(node.shape);
  return first === undefined ? '{}' : JSON.stringify({ [first[0]]: neededIn(first[1]) });
}

function neededIn({ shape, meta }: SchemaNode): unknown {
  if (shape.kind !== 'object') return meta.example ?? '…';
  const needed = [...shape.members].filter(
    ([, { isOptional, default: given, prefault }]) => !isOptional && given === undefined && prefault === undefined,
  );
  return Object.fromEntries(needed.map(([name, member]) => [name, neededIn(member)]));
}

/** Index of the alternative that the user clearly meant: the one whose key is the only key; else -1. */
function chosenOf(input: unknown, names: readonly string[]): number {
  const keys = typeof input === 'object' && input !== null ? Object.keys(input) : [];
  return keys.length === 1 ? names.indexOf(keys[0] ?? '') : -1;
}

/** The expected value of an option, in words. */
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

/**
 * The received value for a message. If a file with a secret is expected only its type, because people paste the secret
 * there.
 */
function shown(input: unknown, isSecret: boolean): string {
  if (input === undefined) return 'nothing';
  if (input === null) return 'null';
  if (Array.isArray(input)) return `a list of ${input.length}`;
  if (isSecret && input !== '') return `${article(typeof input)} that is not repeated, in case it is a secret`;
  if (typeof input === 'object') return `an object with ${Object.keys(input).join(', ') || 'no keys'}`;
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
