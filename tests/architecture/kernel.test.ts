import { dirname, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, sourceFiles } from './source-files.ts';

/** The folders that count as users of the kernel: the programs' and the generator's. */
const users = ['src/connector', 'src/agent', 'src/termprog', 'src/generate'];

test('each file of the kernel serves two programs, or the generator and a program', () => {
  const reached = users.map(reachedFrom);

  const lonely = sourceFiles('src/kernel').filter((file) => reached.filter((files) => files.has(file)).length < 2);

  expect(lonely).toEqual([]);
});

/** Every file that the files of `folder` reach, by imports of imports. */
function reachedFrom(folder: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const specifier of importsOf(file).filter((name) => name.startsWith('.') && name.endsWith('.ts'))) {
      visit(relative('.', resolve(dirname(file), specifier)));
    }
  };
  for (const file of sourceFiles(folder).filter((name) => name.endsWith('.ts'))) visit(file);
  return reached;
}
