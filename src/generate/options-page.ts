import type { XResourceOption, XResourceRow, XResourceScope } from '../../schemas/termprog/resource-table.ts';
import { PENDING_NOTE } from '../kernel/config/option-notes.ts';
import { type Option, type OptionSet, type OptionType, optionsIn } from './option-tree.ts';
import { valueType } from './xresource-options.ts';

const INTRODUCTION = `<!-- Written by \`npm run generate\` from schemas/. Changes made here are lost. -->
# Option reference

Every option of the three programs. The connector and the agent read one JSON file each; on NixOS the same paths are options.
The terminal reads X resources; on NixOS each is an option as well, null unless set.
A change of an option takes effect at a \`reload\` (SIGHUP, or \`systemctl reload\`) or at a \`restart\` only.
A resource takes effect at the \`start\` only, or \`live\`: also at once when it is changed while the terminal runs.
**Pending** options are accepted and have no effect in this version; a program warns about those that are set.
In a path, \`*\` stands for any element of a list or any name.
`;

/** A program with a JSON configuration file, and where NixOS has its options. */
export interface ConfiguredProgram {
  name: string;
  nixosPrefix: string;
  options: OptionSet;
}

/** The option reference. */
export function optionsPage(programs: readonly ConfiguredProgram[], rows: readonly XResourceRow[]): string {
  return [INTRODUCTION, ...programs.map(programSection), termprogSection(rows)].join('\n');
}

function programSection({ name, nixosPrefix, options }: ConfiguredProgram): string {
  const lines = optionsIn(options).map(({ path, option }) =>
    tableRow(
      `\`${path.join('.')}\``,
      wordsOf(option.type),
      defaultText(option),
      option.pending ? 'never' : option.isSoft === true ? 'reload' : 'restart',
      descriptionText(option),
    ),
  );
  return `## homeport-${name}

File \`/etc/homeport/${name}.json\`, or another named by \`--config FILE\`. On NixOS the paths stand below \`${nixosPrefix}\`.

${table(['option', 'type', 'default', 'a change takes effect at', 'description'], lines)}`;
}

function termprogSection(rows: readonly XResourceRow[]): string {
  return `## termprog

On NixOS \`programs.termprog.resources.vt100.NAME\` and \`programs.termprog.resources.app.NAME\`; what is set there is
written to \`/etc/X11/app-defaults/Term\`. A package brings \`share/X11/app-defaults/Term\` with every resource in a comment.

In a value a backslash means what it means in every file of X resources: \`\\n\` is a line break, \`\\\` and three octal digits are a
byte, \`\\\\\` is one backslash, and a backslash and a blank keep a blank at the beginning. Before any other character a backslash is
dropped, and so is a backslash at the very end.

### Terminal widget resources

Written \`Term*vt100.NAME: value\` in \`~/.Xresources\`.

${resourceTable(rows, 'vt100')}
### Application and toolkit resources

Written \`Term.NAME: value\` in \`~/.Xresources\`.

${resourceTable(rows, 'app')}`;
}

function resourceTable(rows: readonly XResourceRow[], scope: XResourceScope): string {
  const lines = rows
    .filter((row) => row.scope === scope)
    .map((row) =>
      tableRow(
        `\`${row.name}\``,
        `\`${row.class}\``,
        wordsOf(valueType(row)),
        row.default === undefined ? 'unset' : row.default === '' ? 'empty' : `\`${row.default}\``,
        (row.options ?? []).map(optionWords).join('<br>') || 'none',
        effectWords(row),
        resourceDescription(row),
      ),
    );
  return table(['resource', 'class', 'type', 'default', 'command-line option', 'takes effect', 'description'], lines);
}

function resourceDescription({ doc, acceptedOnly }: XResourceRow): string {
  return acceptedOnly === undefined ? doc : `${doc} **Accepted for compatibility:** ${acceptedOnly}.`;
}

/** `live`: at once when it is changed while the program runs, by a menu or an action. */
function effectWords({ live, acceptedOnly }: XResourceRow): string {
  if (acceptedOnly !== undefined) return 'never';
  return live === true ? 'live' : 'start';
}

function optionWords(option: XResourceOption): string {
  switch (option.kind) {
    case 'value':
      return option.names.map((name) => `\`-${name} ${option.metavar}\``).join(', ');
    case 'toggle':
      return option.names
        .flatMap((name) => [`\`-${name}\``, ...(option.plus === undefined ? [] : [`\`+${name}\``])])
        .join(', ');
    case 'sticky':
      return `\`${option.prefix}${option.metavar}\``;
  }
}

/** The values that an option accepts, for a reader. */
export function wordsOf(type: OptionType): string {
  switch (type.kind) {
    case 'plain':
      return type.words;
    case 'nullable':
      return wordsOf(type.of);
    case 'list':
      return `list of: ${wordsOf(type.of)}${type.nonEmpty ? '; at least one' : ''}`;
    case 'record':
      return `object, each value: ${wordsOf(type.of)}`;
    case 'submodule':
      return 'object';
    case 'alternatives':
      return `object with one key: ${[...type.set.members.keys()].map((name) => `\`${name}\``).join(' or ')}`;
  }
}

function defaultText(option: Option): string {
  if (option.default === undefined) return option.type.kind === 'submodule' ? '' : '**required**';
  return option.default.value === null ? 'unset' : `\`${JSON.stringify(option.default.value)}\``;
}

function descriptionText({ description, example, pending }: Option): string {
  const shown = example === undefined ? '' : ` Example: \`${JSON.stringify(example.value)}\`.`;
  return `${description}${shown}${pending ? ` **Pending:** ${PENDING_NOTE}` : ''}`;
}

function table(head: readonly string[], lines: readonly string[]): string {
  return `${tableRow(...head)}\n${tableRow(...head.map(() => '---'))}\n${lines.join('\n')}\n`;
}

function tableRow(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
