import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

/**
 * After an await the session that some work belonged to may have ended, and another one may stand. So what acts for a
 * session awaits by its generation, which then throws; or a comment says why the work goes on after the end all the same:
 * `ended-ok: <why>` in the line, in the line above, or above the method for all in it.
 */
const GUARDED = /\bawait (?:\w+\.|this\.)*#?generation\.after\(/g;
const EXCUSED = /ended-ok: \S+ \S+/;

/** A class with such a field belongs to one session, whole. */
const OWN_GENERATION = /^ {2}readonly #?generation\b/m;
/** Elsewhere a method acts for a session when it has such a parameter or variable. */
const OF_A_SESSION = /(?:\bconst (?:\{[^}]*)?|[(,] ?)(?:session|link|live|generation)\b/;

/** Formatted code indents the beginning and end of a method by two spaces, those of a function not at all. */
const HEAD = /^(?: {2}(?:async |static |get |set )*#?\w+[(<]|(?:export )?(?:async )?function )/;
const END = /^(?: {2})?\}$/;

const sources: Source[] = sourceFiles('src/connector/presence').map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}));

test('code that acts for a session looks, after each await, whether it still stands, or says why it need not', () => {
  expect(sources.flatMap(unguarded)).toEqual([]);
});

test('taking away any one of these looks is noticed', () => {
  const removed = sources.flatMap(({ file, text }) =>
    [...text.matchAll(GUARDED)].map(({ 0: guard, index }) => {
      const without = `${text.slice(0, index)}await (${text.slice(index + guard.length)}`;
      return { file, noticed: unguarded({ file, text: without }).length };
    }),
  );

  expect(removed.length).toBeGreaterThan(5);
  expect(removed.filter(({ noticed }) => noticed !== 1)).toEqual([]);
});

function methodsOf(text: string): Method[] {
  const lines = text.split('\n');
  return lines.flatMap((line, from) => {
    if (!HEAD.test(line)) return [];
    const length = lines.slice(from).findIndex((later) => END.test(later)) + 1;
    const above = lines.slice(0, from);
    const comment = above.slice(above.findLastIndex((earlier) => !/^\s*(?:\/\/|\/\*|\*)/.test(earlier)) + 1);
    return [{ from, comment: comment.join('\n'), lines: lines.slice(from, from + length) }];
  });
}

/** Returns the awaits after which the code does not check whether the session still stands. */
function unguarded({ file, text }: Source): string[] {
  const isOfOneSession = OWN_GENERATION.test(text);
  return methodsOf(text)
    .filter(({ comment, lines }) => !EXCUSED.test(comment) && (isOfOneSession || OF_A_SESSION.test(lines.join('\n'))))
    .flatMap(({ from, lines }) =>
      lines.flatMap((line, index) => {
        if (!/\bawait\b/.test(line) || line.search(GUARDED) >= 0) return [];
        if (EXCUSED.test(line) || EXCUSED.test(lines[index - 1] ?? '')) return [];
        return [`${file}:${from + index + 1}: ${line.trim()}`];
      }),
    );
}

interface Method {
  /** Index of its first line in the file. */
  from: number;
  comment: string;
  lines: string[];
}

interface Source {
  file: string;
  text: string;
}
