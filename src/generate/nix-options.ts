import { notesOf } from '../kernel/config/option-notes.ts';
import { indent, nixKey, nixString, nixValue } from './nix-text.ts';
import {
  ANY_ELEMENT,
  type Option,
  type OptionSet,
  type OptionType,
  optionsIn,
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
in
{
${indent(`options = ${setText(set)};`)}

  # Options that name a file with a secret.
${indent(`secretFiles = ${listText(secretPaths(set).map(pathText))};`)}

  # Options that a reload applies. A change of any other one needs a restart.
${indent(`softOptions = ${listText(softPaths(set).map(pathText))};`)}

  # Options without effect in this version, each with the default at which it stands unless somebody sets it.
${indent(`withoutEffect = ${listText(withoutEffect(set))};`)}
}
`;
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
      return type.nix;
    case 'nullable':
      return `types.nullOr ${argument(type.of)}`;
    case 'list':
      return `types.${type.nonEmpty ? 'nonEmptyListOf' : 'listOf'} ${argument(type.of)}`;
    case 'record':
      return `types.attrsOf ${argument(type.of)}`;
    case 'submodule':
      return `types.submodule {\n${indent(`options = ${setText(type.set)};`)}\n}`;
    case 'alternatives':
      return `types.attrTag ${setText(type.set)}`;
  }
}

/** The type as an argument: in parentheses when it is an application itself. */
function argument(type: OptionType): string {
  const text = typeText(type);
  return text.includes(' ') ? `(${text})` : text;
}
