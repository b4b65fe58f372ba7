import type { Binding, Step } from './binding.ts';
import { parseCalls } from './parse-actions.ts';
import { parseCharacters, parseEvent } from './parse-event.ts';
import type { KeysymNamed } from './parse-modifiers.ts';
import { repeatEvent } from './repeat-event.ts';
import { TableReader, UnreadableLine } from './table-reader.ts';

/** The way in which a table combines with the existing one; X Toolkit Intrinsics, appendix B. */
export type Directive = 'replace' | 'override' | 'augment';

const DIRECTIVES: readonly string[] = ['replace', 'override', 'augment'] satisfies Directive[];

export interface TranslationSource {
  directive: Directive;
  bindings: readonly Binding[];
  /** Syntax errors with place, expectation and finding; beyond a limit only their number. */
  problems: readonly string[];
}

/** Most bindings, steps of all their events, and reported problems; far more than people write. */
const LINES_MAX = 10_000;
const STEPS_MAX = 30_000;
const PROBLEMS_MAX = 10;

/**
 * Parses a translation table: a directive, then a line per binding. A malformed line is reported and skipped; the other
 * lines stay valid.
 */
export function parseTranslations(text: string, keysymNamed: KeysymNamed): TranslationSource {
  const reader = new TableReader(text);
  const problems = new Problems(reader);
  const bindings: Binding[] = [];
  reader.match(/\s*/y);
  const directive = parseDirective(reader, problems);
  let steps = 0;
  let lines = 0;
  for (; !reader.isAtEnd && lines < LINES_MAX; lines += 1) {
    try {
      const binding = parseLine(reader, keysymNamed);
      steps += binding?.steps.length ?? 0;
      if (binding !== undefined && steps <= STEPS_MAX) bindings.push(binding);
      reader.skipLine();
    } catch (error) {
      if (!(error instanceof UnreadableLine)) throw error;
      problems.add(error);
      reader.skipLine(error.at);
    }
  }
  if (!reader.isAtEnd) problems.addGeneral(`only the first ${LINES_MAX} lines are read`);
  if (steps > STEPS_MAX) problems.addGeneral(`bindings of more than ${STEPS_MAX} events in all are left out`);
  return { directive, bindings, problems: problems.lines };
}

/** Parses the directive before the first binding, on its line or on an earlier one. */
function parseDirective(reader: TableReader, problems: Problems): Directive {
  if (reader.peek() !== '#' || reader.peek(1).trim() === '') return 'replace';
  const at = reader.at;
  const name = reader.match(/#[\w$-]*/y).slice(1);
  if (DIRECTIVES.includes(name)) return name as Directive;
  problems.add(new UnreadableLine(at, '#override, #augment or #replace', `#${name}`), 'it has no effect');
  return 'replace';
}

/** Parses a line; undefined for an empty line or a comment. */
function parseLine(reader: TableReader, keysymNamed: KeysymNamed): Binding | undefined {
  reader.skipBlanks();
  if (reader.isAtLineEnd || reader.match(/#(?=\s|$)|!(?:[ \t\r!][^<\n]*)?(?=\n|$)/y) !== '') {
    reader.restOfLine();
    return undefined;
  }
  const { steps, repeatsFrom } = parseSteps(reader, keysymNamed);
  return { steps, repeatsFrom, calls: parseCalls(reader) };
}

/** Parses the events, separated by commas, and the colon after them. */
function parseSteps(reader: TableReader, keysymNamed: KeysymNamed): Pick<Binding, 'steps' | 'repeatsFrom'> {
  const steps: Step[] = [];
  let repeatsFrom: number | undefined;
  do {
    reader.skipBlanks();
    repeatsFrom = undefined;
    const at = reader.at;
    if (reader.takeIf('"')) {
      // Steps are pushed one by one, because a call takes fewer arguments than a text may have characters.
      for (const step of parseCharacters(reader, keysymNamed)) steps.push(step);
    } else {
      const { pattern, count } = parseEvent(reader, keysymNamed);
      const repeated = repeatEvent(pattern, count);
      if (repeated.repeatsFrom !== undefined) repeatsFrom = steps.length + repeated.repeatsFrom;
      steps.push(...repeated.steps);
    }
    if (steps.length > STEPS_MAX) reader.expected(`at most ${STEPS_MAX} events`, at);
    reader.skipBlanks();
  } while (reader.takeIf(','));
  if (steps.length === 0) reader.expected('an event');
  if (!reader.takeIf(':')) reader.expected('":" or ","');
  return { steps, repeatsFrom };
}

/** Collects the syntax errors: the first ones, and the number of the others. */
class Problems {
  readonly #reader: TableReader;
  readonly #first: string[] = [];
  readonly #others: string[] = [];
  #more = 0;

  constructor(reader: TableReader) {
    this.#reader = reader;
  }

  add({ at, message }: UnreadableLine, consequence = 'the line is left out'): void {
    if (this.#first.length < PROBLEMS_MAX) this.#first.push(`${this.#reader.place(at)}: ${message}; ${consequence}`);
    else this.#more += 1;
  }

  /** Adds a problem of the table as a whole. */
  addGeneral(problem: string): void {
    this.#others.push(problem);
  }

  get lines(): string[] {
    const more = this.#more === 0 ? [] : [`${this.#more} more lines can't be read and are left out`];
    return [...this.#first, ...more, ...this.#others];
  }
}
