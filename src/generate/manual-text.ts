import { wrappedLines } from '../kernel/wrapped-lines.ts';

/** Longest line of the source that the linter of mandoc accepts, with room for a font change. */
const COLUMNS = 76;

/**
 * Text as lines of mdoc(7), which wants a line for each sentence. Text between backticks is set in bold.
 * No line begins with a point or an apostrophe, which would make it a request.
 */
export function manualText(text: string): string[] {
  return text
    .split(/(?<=\.) (?=[A-Z`])|\n/)
    .flatMap((sentence) => wrappedLines(escaped(sentence), COLUMNS))
    .map((line) => line.replace(/^(?=[.'])/, '\\&'));
}

/** A word as it is typed: every character that could be markup is escaped. */
export function manualWord(word: string): string {
  return word
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('"', '\\(dq')
    .replaceAll('()', '\\&()');
}

/**
 * The argument of a macro: quoted if it has blanks, and escaped if mdoc(7) would take it for a macro or a delimiter.
 */
export function manualArgument(text: string): string {
  const word = manualWord(text);
  return /\s|^$/.test(word) ? `"${word}"` : word.replace(/^(?=\W|[A-Z][a-z]$)/, '\\&');
}

/** Writes other characters as escapes: a source in ASCII is read the same under any locale; roff(7). */
const inAscii = (text: string): string =>
  text.replaceAll(
    /\P{ASCII}/gu,
    (character) => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
  );

function escaped(sentence: string): string {
  return sentence
    .split('`')
    .map((part, index) => (index % 2 === 0 ? inAscii(part.replaceAll('\\', '\\e')) : `\\fB\\%${manualWord(part)}\\fP`))
    .join('');
}
