import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Files that declare error codes, as members of a union or as the argument of the base class. */
const SOURCES = ['src/kernel/errors.ts', 'src/connector/errors.ts', 'src/agent/errors.ts', 'src/termprog/errors.ts'];

test('docs/errors.md has a row for each error code, and no other', () => {
  const declared = SOURCES.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/ErrorCode =([^;]+);|AppError<('[^>]+')>/g)].flatMap(([, union, single]) =>
      [...(union ?? single ?? '').matchAll(/'([a-z_]+)'/g)].map(([, code = '']) => code),
    ),
  );
  const documented = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([a-z_]+)` \|/gm)].map(
    ([, code = '']) => code,
  );

  expect(documented.toSorted()).toEqual(declared.toSorted());
});
