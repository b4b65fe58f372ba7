import { z } from 'zod';
import { nixString } from './nix-text.ts';
import { GenerateError, type Option, type OptionSet, type OptionType } from './option-tree.ts';
import { choiceTexts, numberTexts } from './plain-types.ts';
import { posixPattern } from './posix-pattern.ts';
import { unshell } from './zod-shells.ts';

/** The Nix type that refuses paths which would be copied into the world-readable store. */
const SECRET_FILE_TYPE = 'types.externalPath';

/** The options an object schema stands for. */
export function optionSetOf(schema: z.ZodObject, path = ''): OptionSet {
  if (!(schema.def.catchall instanceof z.ZodNever)) throw new GenerateError(path, 'an object must be strict');
  const members = new Map<string, Option | OptionSet>();
  for (const [name, member] of Object.entries(schema.shape)) {
    const inner = path === '' ? name : `${path}.${name}`;
    const node = nodeOf(member, inner);
    if (node !== undefined) members.set(name, node);
  }
  return { kind: 'set', members };
}

function nodeOf(schema: z.core.$ZodType, path: string): Option | OptionSet | undefined {
  const { schema: inner, meta, nullable, default: fallback } = unshell(schema, path);
  if (meta.nix?.hidden === true) return undefined;
  if (inner instanceof z.ZodObject && !nullable) {
    if (meta.pending === true) throw new GenerateError(path, 'a section has no effect of its own: mark its members');
    return optionSetOf(inner, path);
  }
  if (meta.description === undefined) throw new GenerateError(path, 'an option without a description');
  const type = typeOf(inner, path, meta.nix?.type);
  return {
    kind: 'option',
    type: nullable ? { kind: 'nullable', of: type } : type,
    ...(fallback === undefined ? (nullable ? { default: { value: null } } : {}) : { default: fallback }),
    ...(meta.example === undefined ? {} : { example: { value: z.json().parse(meta.example) } }),
    description: meta.description,
    pending: meta.pending === true,
  };
}

/** Type of a schema; `nix` overrides what Nix is told where its own type says it better. */
function typeOf(schema: z.core.$ZodType, path: string, nix?: string): OptionType {
  const type = kindOf(schema, path, nix);
  if (nix !== undefined && (type.kind !== 'plain' || type.nix !== nix)) {
    throw new GenerateError(path, 'only numbers and strings may name a type of Nix');
  }
  return type.kind === 'plain' && nix === SECRET_FILE_TYPE ? { ...type, secret: true } : type;
}

function kindOf(schema: z.core.$ZodType, path: string, nix: string | undefined): OptionType {
  if (schema instanceof z.ZodBoolean) return { kind: 'plain', nix: 'types.bool', words: 'boolean' };
  if (schema instanceof z.ZodNumber) return numberType(schema, path, nix);
  if (schema instanceof z.ZodString) return stringType(schema, path, nix);
  if (schema instanceof z.ZodEnum) return choiceType(schema.options, path);
  if (schema instanceof z.ZodLiteral) return choiceType([...schema.values], path);
  if (schema instanceof z.ZodArray) return listType(schema, path);
  if (schema instanceof z.ZodRecord) return { kind: 'record', of: elementType(schema.valueType, `${path}.<name>`) };
  if (schema instanceof z.ZodObject) return { kind: 'submodule', set: optionSetOf(schema, path) };
  if (schema instanceof z.ZodUnion) return alternativesType(schema, path);
  throw new GenerateError(path, `no option can be made of the Zod kind ${schema._zod.def.type}`);
}

/** Type of what a list or a record holds: without default, never left out. */
function elementType(schema: z.core.$ZodType, path: string): OptionType {
  const { schema: inner, meta, nullable, default: fallback } = unshell(schema, path);
  if (nullable || fallback !== undefined) throw new GenerateError(path, 'an element is either there or not');
  return typeOf(inner, path, meta.nix?.type);
}

function numberType(schema: z.ZodNumber, path: string, nix: string | undefined): OptionType {
  const { minValue, maxValue } = schema;
  const min = minValue === null || minValue <= Number.MIN_SAFE_INTEGER ? undefined : minValue;
  const max = maxValue === null || maxValue >= Number.MAX_SAFE_INTEGER ? undefined : maxValue;
  return {
    kind: 'plain',
    ...numberTexts({ min, max, whole: schema.isInt }, path),
    ...(nix === undefined ? {} : { nix }),
  };
}

function stringType(schema: z.ZodString, path: string, nix: string | undefined): OptionType {
  if (schema.format !== null && schema.format !== 'regex') {
    throw new GenerateError(path, `the string format ${schema.format} has no counterpart: use a pattern`);
  }
  const { pattern, words } = patternOf(schema);
  if (pattern === undefined) {
    const nonEmpty = (schema.minLength ?? 0) > 0;
    return {
      kind: 'plain',
      nix: nix ?? (nonEmpty ? 'types.nonEmptyStr' : 'types.str'),
      words: nonEmpty ? 'text, not empty' : 'text',
    };
  }
  try {
    return { kind: 'plain', nix: nix ?? `types.strMatching ${nixString(posixPattern(pattern))}`, words };
  } catch (error) {
    throw new GenerateError(path, error instanceof Error ? error.message : String(error));
  }
}

/** The pattern of a string and what its schema calls it. */
function patternOf(schema: z.ZodString): { pattern: RegExp | undefined; words: string } {
  for (const check of schema.def.checks ?? []) {
    const def: { pattern?: unknown; error?: unknown } = check._zod.def;
    if (!(def.pattern instanceof RegExp)) continue;
    const message: unknown = typeof def.error === 'function' ? def.error({}) : undefined;
    return {
      pattern: def.pattern,
      words: typeof message === 'string' ? message : `text like \`${def.pattern.source}\``,
    };
  }
  return { pattern: undefined, words: '' };
}

function choiceType(values: readonly unknown[], path: string): OptionType {
  const texts = values.map((value) => {
    if (typeof value !== 'string') throw new GenerateError(path, 'a choice must be among strings');
    return value;
  });
  return { kind: 'plain', ...choiceTexts(texts) };
}

function listType(schema: z.ZodArray, path: string): OptionType {
  const nonEmpty = (schema.def.checks ?? []).some((check) => check._zod.def.check === 'min_length');
  return { kind: 'list', of: elementType(schema.element, `${path}.*`), nonEmpty };
}

/** Exclusive alternatives are one-key objects: each branch keeps its own members and defaults. */
function alternativesType(schema: z.ZodUnion, path: string): OptionType {
  const members = new Map<string, Option | OptionSet>();
  for (const branch of schema.options) {
    const entries = branch instanceof z.ZodObject ? Object.entries(branch.shape) : [];
    const [name, member] = entries[0] ?? [];
    if (entries.length !== 1 || name === undefined || !(member instanceof z.ZodObject)) {
      throw new GenerateError(path, 'alternatives must be objects with one key that holds an object');
    }
    const description = member.description;
    if (description === undefined) throw new GenerateError(`${path}.${name}`, 'an option without a description');
    const type: OptionType = { kind: 'submodule', set: optionSetOf(member, `${path}.${name}`) };
    members.set(name, { kind: 'option', type, description, pending: false });
  }
  return { kind: 'alternatives', set: { kind: 'set', members } };
}
