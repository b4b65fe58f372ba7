import type { SchemaNode } from './schema-tree.ts';

/** A path as a person writes it: `agent.listen.port`, `ircChannels[0]`. */
export function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '') || '(the whole file)';
}

/** The schema's node for the value at `path`, through lists, records and alternatives. */
export function nodeAt(root: SchemaNode, path: readonly PropertyKey[]): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  for (const key of path) node = node && memberOf(node, key);
  return node;
}

function memberOf({ shape }: SchemaNode, key: PropertyKey): SchemaNode | undefined {
  switch (shape.kind) {
    case 'list':
    case 'record':
      return shape.element;
    default:
      return namedMembers(shape).get(String(key));
  }
}

/** Members of an object, or the branches of alternatives; empty for other shapes. */
export function namedMembers(shape: SchemaNode['shape']): ReadonlyMap<string, SchemaNode> {
  if (shape.kind === 'object') return shape.members;
  return shape.kind === 'alternatives' ? shape.branches : new Map();
}

/** Paths of the options that `input` sets and that the schema marks as pending. */
export function pendingPaths(node: SchemaNode, input: unknown, path: readonly string[] = []): string[] {
  if (input === undefined || input === null) return [];
  if (node.meta.pending === true) return [pathText(path)];
  if (typeof input !== 'object' || Array.isArray(input)) return [];
  const members = namedMembers(node.shape);
  return Object.entries(input).flatMap(([key, value]) => {
    const member = members.get(key);
    return member === undefined ? [] : pendingPaths(member, value, [...path, key]);
  });
}

/** Paths of the sections and options that a reload applies; those within a soft section are not named again. */
export function softPaths(node: SchemaNode, path: readonly string[] = []): string[][] {
  if (node.isSoft) return [[...path]];
  if (node.shape.kind !== 'object') return [];
  return [...node.shape.members].flatMap(([name, member]) => softPaths(member, [...path, name]));
}
