/** Parentheses to the one that closes the first, with a function's body or an arrow behind them. */
const PARAMETERS = String.raw`\((?=[^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:\{|=>))`;

/** Between a name and its function: it may be a value, or the first of a list. */
const ASSIGNED = String.raw`[=:]?\s*\[?(?:async\s)?\s*(?:function\s*)?`;

/** Where functions of a bundle have their parameters, and where classes have their fields. */
const FUNCTION = new RegExp(
  [
    String.raw`(?<name>"(?:[^"\\]|\\\n)*"|[#\w$]+)${ASSIGNED}${PARAMETERS}`,
    String.raw`(?<short>[#\w$]+)[=:]\s*\[?(?:async\s)?[\w$]+=>`,
    '=>',
    String.raw`(?<fields>\bclass\b[^{}]*\{)`,
  ].join('|'),
  'g',
);

/** What stands before parentheses and braces, and is no function. */
const STATEMENTS: ReadonlySet<string | undefined> = new Set(['if', 'for', 'while', 'switch', 'catch', 'with']);

/** The bundler counts functions of the same name. */
const COUNT = /\d+$/;

/** Functions that create objects, and that read modules, which have paths or numbers as names; they are short. */
const ALWAYS = /^(?:constructor|".*|\d+)$/s;

/** A name as the list has it: without what V8 says of its kind; undefined for functions that are not in the list. */
export function listedName(name: string): string | undefined {
  if (name.includes('/')) return undefined;
  const bare = name
    .replace(/^(?:get|set|static|async) /, '')
    .replace(/^.*\./, '')
    .replace(COUNT, '');
  return /^[#\w$]+$/.test(bare) ? bare : undefined;
}

/**
 * Offsets in the functions of a bundle that a start runs: those with a listed name, those that read modules or create
 * objects, and those without a name behind one of these. It reads no grammar: what it takes for a function in error costs
 * nothing, and a function that it misses is compiled when it is called.
 */
export function startFunctions(text: string, names: readonly string[]): number[] {
  const listed = new Set(names);
  const found: number[] = [];
  let isWanted = true;
  for (const { 0: all, index, groups = {} } of text.matchAll(FUNCTION)) {
    const { name = groups['short'], fields } = groups;
    if (STATEMENTS.has(name)) continue;
    if (name !== undefined && name !== 'function') isWanted = ALWAYS.test(name) || listed.has(name.replace(COUNT, ''));
    if (isWanted || fields !== undefined) found.push(index + all.length + offsetBehind(all));
  }
  return found;
}

/** From the end of what was found: to the parameters before an arrow, to those that begin, to the fields of a class. */
function offsetBehind(found: string): number {
  if (found.endsWith('=>')) return -3;
  return found.endsWith('(') ? -1 : 0;
}
