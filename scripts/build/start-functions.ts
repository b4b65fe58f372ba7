/** Parentheses to the one that closes the first, with a function's body or an arrow behind them. */
const PARAMETERS = String.raw`\((?=[^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:\{|=>))`;

/** Text between a name and its function, which may be a value, or the first of a list. */
const ASSIGNED = String.raw`[=:]?\s*\[?(?:async\s)?\s*(?:function\s*)?`;

/** Finds the parameters of functions in a bundle, and the fields of classes. */
const FUNCTION = new RegExp(
  [
    String.raw`(?<name>"(?:[^"\\]|\\\n)*"|[#\w$]+)${ASSIGNED}${PARAMETERS}`,
    String.raw`(?<short>[#\w$]+)[=:]\s*\[?(?:async\s)?[\w$]+=>`,
    '=>',
    String.raw`(?<fields>\bclass\b[^{}]*\{)`,
  ].join('|'),
  'g',
);

/** Words before parentheses and braces that do not name a function. */
const STATEMENTS: ReadonlySet<string | undefined> = new Set(['if', 'for', 'while', 'switch', 'catch', 'with']);

/** Number that the bundler appends to functions of the same name. */
const COUNT = /\d+$/;

/** Functions that create objects, and that read modules, which have paths or numbers as names; they are short. */
const ALWAYS = /^(?:constructor|".*|\d+)$/s;

/**
 * A name in the form of the list: without V8's words for its kind; undefined for functions that the list leaves out.
 */
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
 * objects, and those without a name behind one of these. It does not parse: a match that is no function does no harm,
 * and a function that it misses is compiled when it is called.
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

/**
 * Offset from the end of a match: to the parameters before an arrow, to those that begin, or to the fields of a class.
 */
function offsetBehind(found: string): number {
  if (found.endsWith('=>')) return -3;
  return found.endsWith('(') ? -1 : 0;
}
