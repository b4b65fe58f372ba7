/** A value in a JSON configuration file. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Type of an option's value. Every output is written from this form. */
export type OptionType =
  /** `nix` is the expression of the type, `words` the same for a reader. */
  | { kind: 'plain'; nix: string; words: string; secret?: true }
  | { kind: 'nullable'; of: OptionType }
  | { kind: 'list'; of: OptionType; nonEmpty: boolean }
  | { kind: 'record'; of: OptionType }
  | { kind: 'submodule'; set: OptionSet }
  /** One-key objects of which exactly one may be given. */
  | { kind: 'alternatives'; set: OptionSet };

export interface Option {
  kind: 'option';
  type: OptionType;
  /** Absent where the user must give a value. */
  default?: { value: Json };
  example?: { value: Json };
  description: string;
  /** Accepted, without effect in this version. */
  pending: boolean;
  /** A reload of the service applies a change. */
  isSoft?: boolean;
}

export interface OptionSet {
  kind: 'set';
  members: ReadonlyMap<string, Option | OptionSet>;
}

/** An option and the names that lead to it; `*` stands for any element. */
export interface PlacedOption {
  path: string[];
  option: Option;
}

/** An option that stops the generation; `path` says where. */
export class GenerateError extends Error {
  constructor(path: string, problem: string) {
    super(`${path || '(the whole schema)'}: ${problem}`);
  }
}

/** Name in a path for any element of a list or a record. */
export const ANY_ELEMENT = '*';

/** Every option of a set, those inside of other options after them. */
export function optionsIn(set: OptionSet, path: readonly string[] = []): PlacedOption[] {
  return [...set.members].flatMap(([name, node]) => {
    const here = [...path, name];
    return node.kind === 'set' ? optionsIn(node, here) : [{ path: here, option: node }, ...optionsOf(node.type, here)];
  });
}

function optionsOf(type: OptionType, path: readonly string[]): PlacedOption[] {
  switch (type.kind) {
    case 'plain':
      return [];
    case 'nullable':
      return optionsOf(type.of, path);
    case 'list':
    case 'record':
      return optionsOf(type.of, [...path, ANY_ELEMENT]);
    case 'submodule':
    case 'alternatives':
      return optionsIn(type.set, path);
  }
}

/**
 * Paths of the options that a reload applies, without those inside of other options.
 * @throws GenerateError when only a part of an option is soft
 */
export function softPaths(set: OptionSet, path: readonly string[] = []): string[][] {
  return [...set.members].flatMap(([name, node]) => {
    const here = [...path, name];
    if (node.kind === 'set') return softPaths(node, here);
    if (node.isSoft === true) return [here];
    const part = optionsOf(node.type, here).find(({ option }) => option.isSoft === true);
    if (part === undefined) return [];
    throw new GenerateError(part.path.join('.'), `a reload applies whole options only: mark ${here.join('.')}`);
  });
}

/**
 * Paths of the options that are files with a secret.
 * @throws GenerateError when one is an element: it has no name its credential could get
 */
export function secretPaths(set: OptionSet): string[][] {
  return optionsIn(set)
    .filter(({ option }) => isSecret(option.type))
    .map(({ path, option }) => {
      const element = option.type.kind === 'list' || option.type.kind === 'record' || path.includes(ANY_ELEMENT);
      if (element)
        throw new GenerateError(path.join('.'), 'a secret file in a list or a record has no name of its own');
      return path;
    });
}

/** An option that has no default. */
export interface RequiredOption extends PlacedOption {
  /** Path of the alternative or optional section in which it is required. Empty: it is always required. */
  within: string[];
}

/** Every option that the user must set, without those of list and record elements. */
export function requiredOptions(
  set: OptionSet,
  path: readonly string[] = [],
  within: readonly string[] = [],
): RequiredOption[] {
  return [...set.members].flatMap(([name, node]): RequiredOption[] => {
    const here = [...path, name];
    if (node.kind === 'set') return requiredOptions(node, here, within);
    const { type } = node;
    const inner = type.kind === 'nullable' ? type.of : type;
    if (inner.kind === 'submodule') return requiredOptions(inner.set, here, here);
    const self = node.default === undefined ? [{ path: here, option: node, within: [...within] }] : [];
    // Each alternative is itself an option within the chosen one.
    return inner.kind === 'alternatives' ? [...self, ...requiredOptions(inner.set, here, here)] : self;
  });
}

function isSecret(type: OptionType): boolean {
  if (type.kind === 'plain') return type.secret === true;
  return (type.kind === 'nullable' || type.kind === 'list' || type.kind === 'record') && isSecret(type.of);
}
