import type { XResourceRow } from '../../../schemas/termprog/resource-table.ts';
import { BadOptionError } from '../errors.ts';
import type { OptionEffect, OptionTable } from './option-table.ts';

/** A resource on the command line, in the order of the arguments: later ones win. */
export type CommandLineResource =
  | { kind: 'row'; row: XResourceRow; value: string; spelling: string }
  | { kind: 'line'; line: string };

export interface CommandLine {
  display: string | undefined;
  /** Instance and class name, if the command line sets them. */
  name: string | undefined;
  class: string | undefined;
  resources: readonly CommandLineResource[];
  /**
   * Options without a value that do not set a resource: `-help`, `-version` and the like, by their first spelling in
   * the table.
   */
  requests: readonly string[];
  /** The arguments after `-e`. */
  command: readonly string[] | undefined;
}

/**
 * Parses the arguments. An option may be shortened to any unique prefix.
 * @throws BadOptionError naming the option
 * @spec termprog#command-line-options
 */
export function parseCommandLine(argv: readonly string[], table: OptionTable): CommandLine {
  const open = [...argv];
  const words = new Map<string, string>();
  const resources: CommandLineResource[] = [];
  const requests: string[] = [];
  let command: string[] | undefined;
  const nextWord = (spelling: string, metavar: string): string => {
    const word = open.shift();
    if (word === undefined) throw new BadOptionError(`option "${spelling}" needs a value: ${spelling} ${metavar}`);
    return word;
  };
  const runProgramOption = (spelling: string, { option }: Extract<OptionEffect, { kind: 'program' }>): void => {
    const name = option.names[0] ?? spelling;
    if (option.argument === 'none') requests.push(name);
    else if (option.argument === 'rest') command = takeCommand(open, spelling);
    else {
      const word = nextWord(spelling, option.metavar ?? 'value');
      if (name === '-xrm') resources.push({ kind: 'line', line: word });
      else words.set(name, word);
    }
  };
  while (open.length > 0) {
    const argument = open.shift() ?? '';
    const sticky = table.sticky.find(({ prefix }) => argument.startsWith(prefix));
    if (sticky !== undefined) {
      const { prefix, row } = sticky;
      resources.push({ kind: 'row', row, value: argument.slice(prefix.length), spelling: prefix });
      continue;
    }
    const [spelling, effect] = findOption(argument, table);
    if (effect.kind === 'program') runProgramOption(spelling, effect);
    else {
      const { row } = effect;
      const value = effect.kind === 'set' ? effect.value : nextWord(spelling, effect.metavar);
      resources.push({ kind: 'row', row, value, spelling });
    }
  }
  return {
    display: words.get('-display'),
    name: words.get('-name'),
    class: words.get('-class'),
    resources,
    requests,
    command,
  };
}

function takeCommand(open: string[], spelling: string): string[] {
  if (open.length === 0) throw new BadOptionError(`option "${spelling}" needs a command: ${spelling} command args ...`);
  return open.splice(0);
}

/** Returns the option for an argument: by its exact spelling, otherwise the only one that starts with it. */
function findOption(argument: string, table: OptionTable): [string, OptionEffect] {
  const exact = table.spellings.get(argument);
  if (exact !== undefined) return [argument, exact];
  // Options with two dashes must be complete, and a single character is not a prefix.
  const isPrefix = /^[-+][^-]/.test(argument);
  const candidates = isPrefix ? [...table.spellings].filter(([spelling]) => spelling.startsWith(argument)) : [];
  const [found, ...others] = candidates;
  if (found === undefined) throw new BadOptionError(`bad command line option "${argument}"`);
  if (others.length === 0) return found;
  const spellings = candidates.map(([spelling]) => spelling).sort();
  throw new BadOptionError(`bad command line option "${argument}": it may be ${spellings.join(', ')}`);
}
