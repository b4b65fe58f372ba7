import type { ActionCall } from './binding.ts';
import { type TableReader, UnreadableLine } from './table-reader.ts';

/** Parses `scroll-back(1,halfpage) bell()` up to the end of the line; the list may be empty. */
export function parseCalls(reader: TableReader): ActionCall[] {
  const calls: ActionCall[] = [];
  for (reader.skipBlanks(); !reader.isAtLineEnd; reader.skipBlanks()) {
    const action = reader.match(/[\w$-]+/y);
    if (action === '') reader.expected('an action');
    reader.skipBlanks();
    if (!reader.takeIf('(')) reader.expected('"(" behind the action');
    calls.push({ action, parameters: parseParameters(reader) });
  }
  return calls;
}

/** Parses `a, "b c", d)`; blanks separate parameters as commas do. */
function parseParameters(reader: TableReader): string[] {
  const parameters: string[] = [];
  for (reader.skipBlanks(); !reader.takeIf(')'); reader.skipBlanks()) {
    if (reader.isAtLineEnd) reader.expected('")"');
    parameters.push(reader.takeIf('"') ? parseQuoted(reader) : reader.match(/[^\s,)]*/y));
    reader.skipBlanks();
    reader.takeIf(',');
  }
  return parameters;
}

/**
 * Parses a quoted parameter, which keeps blanks, commas and line ends. `\"` is a quote, and `\\"` a backslash at the
 * end; elsewhere a backslash stands for itself.
 */
function parseQuoted(reader: TableReader): string {
  const opening = reader.at - 1;
  let text = '';
  for (;;) {
    text += reader.match(/[^"\\]*/y);
    if (reader.takeIf('"')) return text;
    if (reader.isAtEnd) throw new UnreadableLine(opening, 'a closing quote');
    if (reader.takeIf('\\"')) text += '"';
    else {
      text += reader.take();
      if (reader.peek() === '\\' && reader.peek(1) === '"') reader.take();
    }
  }
}
