import { z } from 'zod';

/** A path as a person writes it: `agent.listen.port`, `ircChannels[0]`. */
export function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '') || '(the whole file)';
}

/** A schema without its optional, default and prefault shells. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let current = schema;
  while (
    current instanceof z.ZodOptional ||
    current instanceof z.ZodDefault ||
    current instanceof z.ZodPrefault ||
    current instanceof z.ZodNullable
  ) {
    current = current.unwrap();
  }
  return current;
}

/** The object schemas an exclusive alternative offers: one-key objects. */
export function branchesOf(schema: z.core.$ZodType): { key: string; object: z.ZodObject }[] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodUnion)) return [];
  return inner.options.flatMap((option) => {
    const object = unwrap(option);
    const key = object instanceof z.ZodObject ? Object.keys(object.shape)[0] : undefined;
    return object instanceof z.ZodObject && key !== undefined ? [{ key, object }] : [];
  });
}

/** Schema of the option at `path`, through lists, records and alternatives. */
export function schemaAt(root: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  let current: z.core.$ZodType | undefined = unwrap(root);
  for (const key of path) {
    if (current === undefined) return undefined;
    if (current instanceof z.ZodArray) current = unwrap(current.element);
    else if (current instanceof z.ZodRecord) current = unwrap(current.valueType);
    else {
      const branch = branchesOf(current).find((candidate) => candidate.key === key);
      const shape: Record<string, z.core.$ZodType> =
        current instanceof z.ZodObject ? current.shape : (branch?.object.shape ?? {});
      const next = shape[String(key)];
      current = next === undefined ? undefined : unwrap(next);
    }
  }
  return current;
}

/** Names of the options an object at `path` may have. */
export function keysAt(root: z.ZodType, path: readonly PropertyKey[]): string[] {
  const schema = schemaAt(root, path);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : branchKeys(root, path);
}

/** Keys of the alternatives at `path`; empty where there are none. */
export function branchKeys(root: z.ZodType, path: readonly PropertyKey[]): string[] {
  const schema = schemaAt(root, path);
  return schema === undefined ? [] : branchesOf(schema).map(({ key }) => key);
}

/** Index of the alternative the user clearly chose: the one whose key is there, alone. */
export function branchOf(input: unknown, root: z.ZodType, path: readonly PropertyKey[]): number | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const keys = Object.keys(input);
  const found = branchKeys(root, path).indexOf(keys[0] ?? '');
  return keys.length === 1 && found >= 0 ? found : undefined;
}

/** Paths of options in `input` whose schema says `pending`. */
export function pendingPaths(schema: z.core.$ZodType, input: unknown, path: string[] = []): string[] {
  if (input === undefined || input === null) return [];
  if (z.globalRegistry.get(schema)?.pending === true) return [pathText(path)];
  const inner = unwrap(schema);
  if (inner !== schema && z.globalRegistry.get(inner)?.pending === true) return [pathText(path)];
  if (typeof input !== 'object' || Array.isArray(input)) return [];
  const shape =
    inner instanceof z.ZodObject
      ? inner.shape
      : Object.assign({}, ...branchesOf(inner).map(({ object }) => object.shape));
  return Object.entries(input).flatMap(([key, value]) =>
    Object.hasOwn(shape, key) ? pendingPaths(shape[key], value, [...path, key]) : [],
  );
}
