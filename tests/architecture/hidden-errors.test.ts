import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

/**
 * A handler that does not look at the error hides it. A comment with the reason stands in the same line, in the next one,
 * or above the statement.
 */
const HIDING = /\bcatch \{|\.catch\((?:async )?\(\) =>|\.then\(.*, (?:async )?\(\) =>/;
const COMMENT = /(?:^|\s)\/\/ \S+ \S+|\*\/$/;
/** The line before a statement, or before an argument that is a function. */
const BOUNDARY = /(?:[;{}]|\*\/|\/\/.*|^)\s*$/;

test('an error that is not looked at has its reason beside it', () => {
  const files = sourceFiles('src').filter((file) => file.endsWith('.ts'));
  const found = files.flatMap((file) => unexplained(file, readFileSync(file, 'utf8')));
  expect(found).toEqual([]);
});

test.for([
  ['const a = await ask().catch(() => undefined);'],
  ['  void ask()', '    .catch(() => {})', '    .finally(end);'],
  ['try {', '  ask();', '} catch {', '  return false;', '}'],
  ['ask().then(', '  (found) => take(found),', '  () => {},', ');'],
  ['ask().then(take, () => take(undefined));'],
])('a reason is missed beside %j', (lines) => {
  expect(unexplained('a.ts', lines.join('\n'))).toHaveLength(1);
  expect(unexplained('a.ts', ['// The caller', ...lines].join('\n'))).toHaveLength(lines.includes('} catch {') ? 1 : 0);
});

/** Whether the line is the second handler of a `then` whose arguments have a line each. */
function isSecondHandler(lines: readonly string[], at: number): boolean {
  const indent = /^ *(?=(?:async )?\(\) =>)/.exec(lines[at] ?? '')?.[0];
  if (indent === undefined) return false;
  const before = lines.slice(0, at);
  const opening = before.findLastIndex((line) => line.search(/\S/) >= 0 && line.search(/\S/) < indent.length);
  const isSecond = before.slice(opening + 1).some((line) => line.startsWith(indent) && !/^\s*\/\//.test(line));
  return isSecond && before[opening]?.endsWith('.then(') === true;
}

function unexplained(file: string, text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (!HIDING.test(line) && !isSecondHandler(lines, at)) return [];
    const boundary = lines.slice(0, at).findLastIndex((earlier) => BOUNDARY.test(earlier));
    const isExplained = [line, lines[at + 1], lines[boundary]].some((near = '') => COMMENT.test(near.trimEnd()));
    return isExplained ? [] : [`${file}:${at + 1}: ${line.trim()}`];
  });
}
