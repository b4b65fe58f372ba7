import { type SchemaNode, type SchemaShape, schemaTree } from '../kernel/config/schema-tree.ts';
import { nixString } from './nix-text.ts';
import { GenerateError, type Json, type Option, type OptionSet, type OptionType } from './option-tree.ts';
import { choiceTexts, numberTexts } from './plain-types.ts';
import { posixPattern } from './posix-pattern.ts';

type Shape<Kind extends SchemaShape['kind']> = Extract<SchemaShape, { kind: Kind }>;

/** The Nix type that refuses paths which would be copied into the world-readable store. */
const SECRET_FILE_TYPE = 'types.externalPath';

/** The options of a configuration. @throws GenerateError for a schema that no option can express */
export function optionSetOf(schema: Parameters<typeof schemaTree>[0]): OptionSet {
  const { shape } = schemaTree(schema);
  if (shape.kind !== 'object') throw new GenerateError('', 'a configuration must be an object');
  return setOf(shape, '');
}

function setOf({ members, isStrict }: Shape<'object'>, path: string): OptionSet {
  if (!isStrict) throw new GenerateError(path, 'an object must be strict');
  const options = new Map<string, Option | OptionSet>();
  for (const [name, member] of members) {
    if (member.meta.nix?.hidden === true) continue;
    options.set(name, optionOf(member, path === '' ? name : `${path}.${name}`));
  }
  return { kind: 'set', members: options };
}

function optionOf(node: SchemaNode, path: string): Option | OptionSet {
  const { shape, meta, isOptional, isSoft } = node;
  refuseLostDefaults(node, path);
  if (shape.kind === 'object' && !isOptional) {
    if (meta.pending === true) throw new GenerateError(path, 'a section has no effect of its own: mark its members');
    return setOf(shape, path);
  }
  if (meta.description === undefined) throw new GenerateError(path, 'an option without a description');
  const type = typeOf(node, path);
  return {
    kind: 'option',
    type: isOptional ? { kind: 'nullable', of: type } : type,
    ...defaultOf(node),
    ...(meta.example === undefined ? {} : { example: { value: meta.example as Json } }),
    description: meta.description,
    pending: meta.pending === true,
    isSoft,
  };
}

/** Default of an option; null is Nix's value of an unset option. */
function defaultOf({ default: given, isOptional }: SchemaNode): { default?: { value: Json } } {
  const value = (given?.value ?? null) as Json;
  return value === null && !isOptional ? {} : { default: { value } };
}

function refuseLostDefaults({ shape, default: given, prefault }: SchemaNode, path: string): void {
  // A default of a whole object is lost as soon as the user sets one member of it.
  if (shape.kind === 'object' && given !== undefined) {
    throw new GenerateError(path, 'defaults belong on the members of an object');
  }
  if (prefault !== undefined && (shape.kind !== 'object' || JSON.stringify(prefault.value) !== '{}')) {
    throw new GenerateError(path, 'prefault is understood as {} of an object only');
  }
}

function typeOf(node: SchemaNode, path: string): OptionType {
  const { nix: named, secret } = node.meta;
  const isSecret = secret === true;
  const nix = named?.type ?? (isSecret ? SECRET_FILE_TYPE : undefined);
  if (nix !== undefined && node.shape.kind !== 'text' && node.shape.kind !== 'number') {
    throw new GenerateError(path, 'only numbers and strings may name a type of Nix');
  }
  const type = typeOfShape(node.shape, path, nix);
  return type.kind === 'plain' && isSecret ? { ...type, secret: true } : type;
}

/** @param nix type for Nix in place of the one derived from the schema */
function typeOfShape(shape: SchemaShape, path: string, nix: string | undefined): OptionType {
  switch (shape.kind) {
    case 'boolean':
      return { kind: 'plain', nix: 'types.bool', words: 'boolean' };
    case 'number':
      return numberType(shape, path, nix);
    case 'text':
      return textType(shape, path, nix);
    case 'choice':
      return choiceType(shape, path);
    case 'list':
      return { kind: 'list', of: elementType(shape.element, `${path}.*`), nonEmpty: shape.isNonEmpty };
    case 'record':
      return { kind: 'record', of: elementType(shape.element, `${path}.<name>`) };
    case 'object':
      return { kind: 'submodule', set: setOf(shape, path) };
    case 'alternatives':
      return alternativesType(shape, path);
    case 'other':
      throw new GenerateError(path, `no option can be made of the Zod kind ${shape.zodType}`);
  }
}

/** Type of an element of a list or record, which has no default and is never optional. */
function elementType(node: SchemaNode, path: string): OptionType {
  if (node.isOptional || node.default !== undefined) {
    throw new GenerateError(path, 'an element is either there or not');
  }
  return typeOf(node, path);
}

function numberType({ min, max, isWhole }: Shape<'number'>, path: string, nix: string | undefined): OptionType {
  const texts = numberTexts({ min, max, whole: isWhole }, path);
  return { kind: 'plain', ...texts, nix: nix ?? texts.nix };
}

function textType({ pattern, isNonEmpty }: Shape<'text'>, path: string, nix: string | undefined): OptionType {
  if (pattern === undefined) {
    return isNonEmpty
      ? { kind: 'plain', nix: nix ?? 'types.nonEmptyStr', words: 'text, not empty' }
      : { kind: 'plain', nix: nix ?? 'types.str', words: 'text' };
  }
  const { regex, words = `text like \`${regex.source}\`` } = pattern;
  try {
    return { kind: 'plain', nix: nix ?? `types.strMatching ${nixString(posixPattern(regex))}`, words };
  } catch (error) {
    throw new GenerateError(path, error instanceof Error ? error.message : String(error));
  }
}

function choiceType({ values }: Shape<'choice'>, path: string): OptionType {
  const texts = values.map((value) => {
    if (typeof value !== 'string') throw new GenerateError(path, 'a choice must be among strings');
    return value;
  });
  return { kind: 'plain', ...choiceTexts(texts) };
}

/** Each branch keeps its own members and defaults. */
function alternativesType({ branches }: Shape<'alternatives'>, path: string): OptionType {
  const members = new Map<string, Option | OptionSet>();
  for (const [name, { shape, meta, isSoft }] of branches) {
    const here = `${path}.${name}`;
    if (shape.kind !== 'object') throw new GenerateError(here, 'an alternative must hold an object');
    if (meta.description === undefined) throw new GenerateError(here, 'an option without a description');
    const type: OptionType = { kind: 'submodule', set: setOf(shape, here) };
    members.set(name, { kind: 'option', type, description: meta.description, pending: false, isSoft });
  }
  return { kind: 'alternatives', set: { kind: 'set', members } };
}
