/** Parentheses to the one that closes the first, with a function's body or an arrow behind them. */
const PARAMETERS = String.raw`\((?=[^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:\{|=>))`;

/** Text between a name and its function, which may be a value, or the first of a list. */
const ASSIGNED = String.raw`[=:]?\s*\[?(?:async\s)?\s*(?:function\s*)?`;

/** Finds the parameters of functions in a bundle, and the beginnings of classes. */
const FUNCTION = new RegExp(
  [
    String.raw`(?<name>"(?:[^"\\]|\\\n)*"|[#\w$]+)${ASSIGNED}${PARAMETERS}`,
    String.raw`(?<short>[#\w$]+)[=:]\s*\[?(?:async\s)?[\w$]+=>`,
    '=>',
    String.raw`(?:(?<variable>[\w$]+)=)?\bclass\b(?:\s(?!extends\b)(?<class>[\w$]+))?[^{}]*\{`,
  ].join('|'),
  'g',
);

/** Words before parentheses and braces that do not name a function. */
const STATEMENTS: ReadonlySet<string | undefined> = new Set(['if', 'for', 'while', 'switch', 'catch', 'with']);

/** Number that the bundler appends to functions of the same name. */
const COUNT = /\d+$/;

/** Function of a bundle. */
interface FunctionPlace {
  /**
   * Its name behind that of the class before it in the bundle, such as `FrameClock.request`. A function without a name has
   * that of the one before it, with one arrow or more. The fields of a class have none: `FrameClock.`.
   */
  key: string;
  /** Offset of its parameters, or of the first field. */
  offset: number;
}

/** Finds the functions of a bundle. It does not parse: a few matches are no functions, and it misses a few. */
export function functionPlaces(text: string): FunctionPlace[] {
  const places: FunctionPlace[] = [];
  let owner = '';
  let last = '';
  for (const { 0: all, index, groups = {} } of text.matchAll(FUNCTION)) {
    const { name = groups['short'], variable } = groups;
    if (STATEMENTS.has(name)) continue;
    if (name === undefined && !all.endsWith('=>')) {
      owner = (groups['class'] ?? variable ?? '').replace(COUNT, '');
      last = '';
    } else last = name === undefined || name === 'function' ? `${last}>` : bareName(name);
    places.push({ key: `${owner}.${last}`, offset: index + all.length + offsetBehind(all) });
  }
  return places;
}

/** A module has the end of its path, which is in quotation marks, and no line breaks. */
const bareName = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('\\\n', '') : name.replace(COUNT, '');

/** Offsets of the functions in a bundle whose keys are listed. One that is missed is compiled when it is called. */
export function startFunctions(text: string, keys: readonly string[]): number[] {
  const listed = new Set(keys);
  return functionPlaces(text).flatMap(({ key, offset }) => (listed.has(key) ? [offset] : []));
}

/**
 * Offset from the end of a match: to the parameters before an arrow, to those that begin, or to the fields of a class.
 */
function offsetBehind(found: string): number {
  if (found.endsWith('=>')) return -3;
  return found.endsWith('(') ? -1 : 0;
}
