import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agentConfig } from '../../schemas/agent.ts';
import { connectorConfig } from '../../schemas/connector.ts';
import { namedMembers } from '../../src/kernel/config/schema-paths.ts';
import { type SchemaNode, schemaTree } from '../../src/kernel/config/schema-tree.ts';
import { sourceFiles } from './source-files.ts';

/** Comments and texts, in which a name does not read anything. */
const NOT_CODE = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'/g;

/** Members that editors read; the program ignores them. */
const FOR_OTHERS = ['$schema'];

/** Whether code takes a member of this name from a value: `.name`, or `{ name }` and `{ name: other }` in a pattern. */
const isRead = (code: string, name: string): boolean =>
  new RegExp(`\\.${name}\\b|\\{[^{}]*\\b${name}\\b(?::[^{},]+)?[^{}]*\\}\\s*(?:=[^=>]|:|\\))`).test(code);

for (const [program, schema] of [
  ['agent', agentConfig],
  ['connector', connectorConfig],
] as const) {
  test(`every setting of the ${program} is read by it`, () => {
    const code = codeOf(program);
    const unread = memberPaths(schemaTree(schema)).filter(
      ([name]) => !FOR_OTHERS.includes(name) && !isRead(code, name),
    );
    expect(
      unread.map(
        ([, path]) => `The setting "${path}" is in schemas/${program}.ts, and no code of src/${program} reads it.`,
      ),
    ).toEqual([]);
  });
}

test('a name in a comment, a text or an object that is made does not count as read', () => {
  const code = '/** `.inComment` */ const made = { inObject: 1 }; take(made.taken); const { unpacked } = settings;';

  expect(
    ['inComment', 'inObject', 'taken', 'unpacked'].map((name) => isRead(code.replaceAll(NOT_CODE, ''), name)),
  ).toEqual([false, false, true, true]);
});

/** The names of all members of a schema → the paths where they stand. */
function memberPaths(node: SchemaNode, path: readonly string[] = []): [name: string, path: string][] {
  const { shape } = node;
  if (shape.kind === 'list' || shape.kind === 'record') return memberPaths(shape.element, path);
  return [...namedMembers(shape)].flatMap(([name, member]) => [
    [name, [...path, name].join('.')] as [string, string],
    ...memberPaths(member, [...path, name]),
  ]);
}

function codeOf(program: string): string {
  const files = sourceFiles(`src/${program}`, 'src/kernel').filter((file) => file.endsWith('.ts'));
  return files.map((file) => readFileSync(file, 'utf8').replaceAll(NOT_CODE, '')).join('\n');
}
