import { PENDING_NOTE } from '../kernel/pending-note.ts';
import { indent, nixKey, nixString, nixValue } from './nix-text.ts';
import { ANY_ELEMENT, type Option, type OptionSet, type OptionType, optionsIn, secretPaths } from './option-tree.ts';

/** Names a module's option file as made, not written. */
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

  # Options without effect yet: left out at their default, because the program warns about those that are set.
${indent(`silentAtDefault = ${listText(silentAtDefault(set))};`)}
}
`;
}

/** A file with option declarations only. */
export function nixDeclarationsFile(set: OptionSet): string {
  return `${GENERATED_HEADER}{ lib }:
let
  inherit (lib) mkOption types;
in
${setText(set)}
`;
}

function silentAtDefault(set: OptionSet): string[] {
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
  const description = option.pending ? `${option.description} ${PENDING_NOTE}` : option.description;
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
