import { notesOf } from '../kernel/config/option-notes.ts';
import { indent, nixKey, nixString, nixValue } from './nix-text.ts';
import {
  ANY_ELEMENT,
  type Option,
  type OptionSet,
  type OptionType,
  optionsIn,
  type RequiredOption,
  requiredOptions,
  secretPaths,
  softPaths,
} from './option-tree.ts';

/** First line of each generated file of Nix. */
export const GENERATED_HEADER = '# Written by `npm run generate`. Changes made here are lost.\n';

/** A file with the option declarations of a program and what its module must know to render them. */
export function nixOptionsFile(set: OptionSet): string {
  return `${GENERATED_HEADER}{ lib }:
let
  inherit (lib) mkOption types;

  # What Nix says that it expected, in place of a pattern or of a type's name.
  explained = type: description: type // { inherit description; };
in
{
${indent(`options = ${setText(set)};`)}

  # Options without a default, each with the option that has to be given first for it to be needed.
${indent(`required = ${listText(requiredOptions(set).map(requiredText))};`)}

  # Options that name a file with a secret.
${indent(`secretFiles = ${listText(secretPaths(set).map(pathText))};`)}

  # Options that a reload applies. A change of any other one needs a restart.
${indent(`softOptions = ${listText(softPaths(set).map(pathText))};`)}

  # Options without effect in this version, each with the default at which it stands unless somebody sets it.
${indent(`withoutEffect = ${listText(withoutEffect(set))};`)}
}
`;
}

function requiredText({ path, within }: RequiredOption): string {
  return `{ path = ${pathText(path)}; within = ${pathText(within)}; }`;
}

function withoutEffect(set: OptionSet): string[] {
  return optionsIn(set)
    .filter(({ path, option }) => option.pending && option.default !== undefined && !path.includes(ANY_ELEMENT))
    .map(({ path, option }) => `{ path = ${pathText(path)}; default = ${nixValue(option.default?.value ?? null)}; }`);
}

function pathText(path: readonly string[]): string {
  return nixValue([...path]);
}

function listText(items: readonly string[]): string {
  return items.length === 0 ? '[ ]' : `[\n${indent(items.join('\n'))}\n]`;
}

function setText(set: OptionSet): string {
  const members = [...set.members].map(([name, node]) => {
    const text = node.kind === 'set' ? setText(node) : optionText(node);
    return `${nixKey(name)} = ${text};`;
  });
  return members.length === 0 ? '{ }' : `{\n${indent(members.join('\n'))}\n}`;
}

function optionText(option: Option): string {
  const description = [option.description, ...notesOf(option)].join(' ');
  const lines = [
    `type = ${typeText(option.type)};`,
    ...(option.default === undefined ? [] : [`default = ${nixValue(option.default.value)};`]),
    ...(option.example === undefined ? [] : [`example = ${nixValue(option.example.value)};`]),
    `description = ${nixString(description)};`,
  ];
  return `mkOption {\n${indent(lines.join('\n'))}\n}`;
}

/** The type as an expression. */
function typeText(type: OptionType): string {
  switch (type.kind) {
    case 'plain':
      return plainText(type);
    case 'nullable':
      return `types.nullOr ${argument(type.of)}`;
    case 'list':
      return `types.${type.nonEmpty ? 'nonEmptyListOf' : 'listOf'} ${argument(type.of)}`;
    case 'record':
      return `types.attrsOf ${argument(type.of)}`;
    case 'submodule':
      return `types.submodule {\n${indent(`options = ${setText(type.set)};`)}\n}`;
    case 'alternatives':
      return `explained (types.attrTag ${setText(type.set)}) ${nixString(alternativesWords(type.set))}`;
  }
}

/** A pattern and a secret's path get a description of their own: Nix's message alone would not explain the refusal. */
function plainText({ nix, words, secret }: Extract<OptionType, { kind: 'plain' }>): string {
  if (secret === true) return `explained ${argumentText(nix)} ${nixString(SECRET_WORDS)}`;
  return nix.startsWith('types.strMatching ') ? `explained (${nix}) ${nixString(words)}` : nix;
}

const SECRET_WORDS =
  'absolute path as a text, such as "/run/secrets/token": a path literal such as ./token would be copied to the Nix store, where everybody may read it';

/** Words for alternatives, of which exactly one may be given; the example has the required options of the first. */
function alternativesWords(set: OptionSet): string {
  const [[name, first] = ['', undefined]] = set.members;
  const needed = first?.kind === 'option' && first.type.kind === 'submodule' ? requiredOptions(first.type.set) : [];
  const members = needed.map(({ path, option }) => `${path.join('.')} = ${nixValue(option.example?.value ?? '…')};`);
  const example = `{ ${name} = { ${members.map((member) => `${member} `).join('')}}; }`;
  const choices = [...set.members.keys()];
  return `${choices.length === 1 ? '' : 'exactly one of '}${choices.join(', ')}, for example ${example}`;
}

/** The type as an argument: in parentheses when it is an application itself. */
function argument(type: OptionType): string {
  return argumentText(typeText(type));
}

const argumentText = (text: string): string => (text.includes(' ') ? `(${text})` : text);
