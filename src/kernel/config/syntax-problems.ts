import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** Error code of the JSON parser -> the text that it expected there. */
const EXPECTED: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value: text in double quotes, a number, true, false, null, a list or an object',
  InvalidNumberFormat: 'a number',
  PropertyNameExpected: 'a name in double quotes',
  ValueExpected: 'a value',
  ColonExpected: 'a colon',
  CommaExpected: 'a comma',
  CloseBraceExpected: 'a closing brace',
  CloseBracketExpected: 'a closing bracket',
  EndOfFileExpected: 'the end of the file',
  InvalidCommentToken: 'JSON, which has no comments',
  UnexpectedEndOfString: 'a closing double quote on the same line',
};

/** Marks that a message may repeat, because they cannot be part of a secret that is in the file by mistake. */
const MARKS = '{}[]:,';

/**
 * Syntax errors of a JSON text, as lines `line L, column C: expected …, received …`. Only the first problem of a line
 * is listed, because it mostly causes the others. The lines name a place and never quote the file.
 */
export function syntaxProblems(text: string): string[] {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const byLine = new Map<number, string>();
  for (const { error, offset } of errors) {
    const before = text.slice(0, offset).split('\n');
    const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1];
    const expected = EXPECTED[printParseErrorCode(error)] ?? 'characters that JSON allows in a text';
    const problem = `line ${line}, column ${column}: expected ${expected}, received ${receivedAt(text, offset)}`;
    if (!byLine.has(line)) byLine.set(line, problem);
  }
  return [...byLine.values()];
}

function receivedAt(text: string, offset: number): string {
  const char = text.charAt(offset);
  if (char === '') return 'the end of the file';
  return MARKS.includes(char) ? char : 'something else';
}
