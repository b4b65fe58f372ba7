import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

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

/** Each with the reason why it does not leave its refusals to the edge. */
const answersItself: Record<string, string> = {
  'src/connector/http/answer-errors.ts': 'it is the edge',
  'src/connector/http/bearer.ts': 'a challenge names the errors of its RFC',
  'src/connector/http/health.ts': 'a health check that fails is an answer, not an error',
  'src/connector/mcp/endpoint.ts': 'a JSON-RPC error names the id of its request',
  'src/connector/oauth/stored-consents.ts': 'the library tells the client what the person decided',
};

test('no route of the connector answers a refusal itself: it throws, and the edge answers by the table', () => {
  const answers = sourceFiles('src/connector')
    .filter((file) => file.endsWith('.ts') && answersItself[file] === undefined)
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\berror: (?:\{ code|'\w+')|\.status\([45]\d\d\)/g)].map(
        ([what]) => `${file}: ${what}`,
      ),
    );

  expect(answers).toEqual([]);
});
