import type { ProgramOption } from '../../../schemas/termprog/program-options.ts';
import type { XResourceOption, XResourceRow } from '../../../schemas/termprog/resource-table.ts';

/** Effect of one spelling of an option. */
export type OptionEffect =
  | { kind: 'set'; row: XResourceRow; value: string }
  | { kind: 'setWord'; row: XResourceRow; metavar: string }
  | { kind: 'program'; option: ProgramOption };

/** An option whose value is attached to its prefix. */
export interface StickyOption {
  prefix: string;
  row: XResourceRow;
}

/** All spellings, each with its dash or plus sign. */
export interface OptionTable {
  spellings: ReadonlyMap<string, OptionEffect>;
  sticky: readonly StickyOption[];
}

export function createOptionTable(rows: readonly XResourceRow[], options: readonly ProgramOption[]): OptionTable {
  const spellings = new Map<string, OptionEffect>();
  const sticky: StickyOption[] = [];
  for (const row of rows) {
    for (const option of row.options ?? []) {
      if (option.kind === 'sticky') sticky.push({ prefix: option.prefix, row });
      else for (const [spelling, effect] of effectsOf(row, option)) spellings.set(spelling, effect);
    }
  }
  for (const option of options) {
    for (const name of option.names) spellings.set(name, { kind: 'program', option });
  }
  return { spellings, sticky };
}

function effectsOf(row: XResourceRow, option: Exclude<XResourceOption, { kind: 'sticky' }>): [string, OptionEffect][] {
  if (option.kind === 'value') {
    const effect: OptionEffect = { kind: 'setWord', row, metavar: option.metavar };
    return option.names.map((name) => [`-${name}`, effect]);
  }
  const { minus, plus } = option;
  return option.names.flatMap((name): [string, OptionEffect][] => [
    [`-${name}`, { kind: 'set', row, value: minus }],
    ...(plus === undefined ? [] : [[`+${name}`, { kind: 'set', row, value: plus }] as [string, OptionEffect]]),
  ]);
}
