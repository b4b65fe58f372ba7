import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, sourceFiles } from './source-files.ts';

/** Folders in which a file is one thing, or a family of them, and `index.ts` registers each; other files are named. */
const registries: Record<string, readonly string[]> = {
  'src/agent/collectors': ['collector.ts'],
  'src/connector/rest': ['define-route.ts', 'channel-segment.ts', 'router.ts', 'openapi.ts'],
  'src/connector/doctor': ['check.ts', 'ask.ts', 'github-check.ts', 'oidc-check.ts'],
  'src/connector/mcp/tools': ['define-tool.ts', 'shapes.ts'],
  'src/connector/mcp/methods': ['define-method.ts'],
  'src/connector/store/migrations': ['migration.ts'],
  'src/termprog/actions': ['toggle.ts'],
  'src/termprog/engine/functions': [],
  'src/termprog/render/drawers': ['drawer.ts'],
  'schemas/termprog': ['resource-table.ts', 'resource-types.ts', 'program-options.ts', 'actions.ts', 'menus.ts'],
};

for (const [folder, others] of Object.entries(registries)) {
  test(`every file of ${folder} is registered in its index.ts`, () => {
    const registered = importsOf(`${folder}/index.ts`).map((specifier) => basename(specifier));
    const things = sourceFiles(folder)
      .filter((file) => dirname(file) === folder && file.endsWith('.ts'))
      .map((file) => basename(file))
      .filter((name) => name !== 'index.ts' && !others.includes(name));
    expect(things.filter((name) => !registered.includes(name))).toEqual([]);
  });
}

test('no work starts and no file is opened at import time in the source', () => {
  const awake = sourceFiles('src', 'schemas')
    .filter((file) => file.endsWith('.ts') && basename(file) !== 'main.ts')
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^(?:export )?let |^await |^setInterval|^setTimeout/gm)].map(
        ([what]) => `${file}: ${what.trim()}`,
      ),
    );
  expect(awake).toEqual([]);
});

/** Files that compose a program; the terminal's first file passes on its environment. */
const composed = ['main.ts', 'entry.ts'];

/** The clock itself, and a table whose hashes begin with a random number, which nothing shows. */
const ambientFiles = ['src/kernel/clock.ts', 'src/termprog/engine/key-table.ts'];

test('ambient time, randomness and environment are read only where programs are composed', () => {
  const ambient = sourceFiles('src')
    .filter((file) => file.endsWith('.ts') && !composed.includes(basename(file)) && !ambientFiles.includes(file))
    .flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(/process\.(?:env|cwd\(|argv)|Date\.now\(|new Date\(\)|Math\.random\(/g),
      ].map(([what]) => `${file}: ${what}`),
    );
  expect(ambient).toEqual([]);
});
