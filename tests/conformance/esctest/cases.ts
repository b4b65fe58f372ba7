import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Result of a case; `skips` means that esctest leaves it out, or expects it to fail in the reference terminal. */
const outcomes = ['passes', 'fails', 'skips'] as const;

export type Outcome = (typeof outcomes)[number];

/** Why termprog need not pass a case; with `owed` it must. */
export const debts = {
  owed: 'a conforming terminal passes it',
  'window-manipulation':
    'CSI 1 to 10 t and what resizes the window from inside are not implemented, by the specification',
  'column-switching': 'switching between 80 and 132 columns is not implemented, by the specification',
  'eight-bit-controls': 'text is UTF-8, in which a control of eight bits is not a character of its own',
  'level-5': 'it needs a terminal of the fifth level; this is one of the fourth',
  'reference-bug': 'esctest expects it to fail, as it does in the reference terminal',
  'reference-fails': 'the reference terminal (xterm 379) fails it, too',
} as const;

export type Debt = keyof typeof debts;

/** One line of `cases.txt`: the last result of the case, whether it must pass, and its name. */
export interface EsctestCase {
  name: string;
  outcome: Outcome;
  debt: Debt;
}

export const CASES_FILE = join(import.meta.dirname, 'cases.txt');

const LINE = /^(\w+) +([\w-]+) +([\w.]+)$/;

/** @throws Error for a line that is not a case */
export function readCases(): EsctestCase[] {
  return readFileSync(CASES_FILE, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, outcome = '', debt = '', name = ''] = LINE.exec(line) ?? [];
      if (!isOneOf(outcomes, outcome) || !Object.hasOwn(debts, debt)) {
        throw new Error(`${CASES_FILE}: "${line}" is not "OUTCOME DEBT CLASS.test"`);
      }
      return { name, outcome, debt: debt as Debt };
    });
}

export function formatCases(cases: readonly EsctestCase[]): string {
  const lines = cases.map(({ name, outcome, debt }) => `${outcome.padEnd(7)} ${debt.padEnd(19)} ${name}\n`);
  return lines.join('');
}

function isOneOf<T extends string>(values: readonly T[], value: string): value is T {
  return (values as readonly string[]).includes(value);
}
