import type { XResourceRow, XResourceScope } from '../../schemas/termprog/resource-table.ts';
import { GenerateError, type Option, type OptionSet, type OptionType } from './option-tree.ts';
import { choiceTexts, numberTexts, type TypeTexts } from './plain-types.ts';

/** The rows as options by scope and name; unset, which is the default of each, leaves the program's own default in force. */
export function xresourceOptions(rows: readonly XResourceRow[]): OptionSet {
  const scopes = new Map<string, OptionSet>();
  for (const scope of ['vt100', 'app'] satisfies XResourceScope[]) {
    const members = new Map<string, Option>();
    for (const row of rows.filter((candidate) => candidate.scope === scope)) {
      if (members.has(row.name)) throw new GenerateError(`${scope}.${row.name}`, 'a resource that stands there twice');
      members.set(row.name, optionOf(row));
    }
    scopes.set(scope, { kind: 'set', members });
  }
  return { kind: 'set', members: scopes };
}

function optionOf(row: XResourceRow): Option {
  if (row.doc === '') throw new GenerateError(`${row.scope}.${row.name}`, 'a resource without a description');
  return {
    kind: 'option',
    type: { kind: 'nullable', of: valueType(row) },
    default: { value: null },
    description: [row.doc, defaultSentence(row), ...reasonSentence(row)].join(' '),
    // A pending option is written only if the user sets it, and then with a warning.
    pending: row.acceptedOnly !== undefined,
  };
}

function defaultSentence(row: XResourceRow): string {
  if (row.default === undefined) return 'The program has no default of its own.';
  return row.default === '' ? "The program's default is empty." : `The program's default is \`${row.default}\`.`;
}

/** The reason why a resource has no effect, as a sentence. */
function reasonSentence({ acceptedOnly }: XResourceRow): string[] {
  return acceptedOnly === undefined ? [] : [`${acceptedOnly.charAt(0).toUpperCase()}${acceptedOnly.slice(1)}.`];
}

/** The type of a resource's value. */
export function valueType(row: XResourceRow): OptionType {
  const path = `${row.scope}.${row.name}`;
  if (row.choices !== undefined) return choiceType(row.choices);
  switch (row.type) {
    case 'boolean':
      return { kind: 'plain', nix: 'types.bool', words: 'boolean' };
    case 'integer':
      return { kind: 'plain', ...numberTexts({ min: row.range?.min, max: row.range?.max, whole: true }, path) };
    case 'dimension':
      return { kind: 'plain', ...numberTexts({ min: row.range?.min ?? 0, max: row.range?.max, whole: true }, path) };
    case 'number':
      return withWord(numberTexts({ min: row.range?.min, max: row.range?.max, whole: false }, path), row.word);
    case 'string':
    case 'pattern':
    case 'font':
    case 'color':
    case 'geometry':
      return { kind: 'plain', nix: 'types.str', words: row.type };
  }
}

/** The type of a number, or of one word in place of it. */
function withWord({ nix, words }: TypeTexts, word: string | undefined): OptionType {
  if (word === undefined) return { kind: 'plain', nix, words };
  return {
    kind: 'plain',
    nix: `types.either (${choiceTexts([word]).nix}) (${nix})`,
    words: `${words}, or \`${word}\``,
  };
}

/** Type of a choice. If `true` and `false` are among the words, Nix's booleans are accepted as well. */
function choiceType(choices: readonly string[]): OptionType {
  const { nix, words } = choiceTexts(choices);
  const truth = choices.includes('true') && choices.includes('false');
  return { kind: 'plain', nix: truth ? `types.either types.bool (${nix})` : nix, words };
}
