import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Files of the repository, tracked or new, below the folders given; paths from the root. */
export function sourceFiles(...folders: string[]): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...folders],
    { encoding: 'utf8' },
  );
  return listed.split('\0').filter((file) => file !== '' && existsSync(file));
}

/** Returns the imports of a TypeScript file: specifiers of static imports, re-exports and dynamic imports. */
export function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s(?:[\w$*\s{},]*?\sfrom\s)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  );
  return [...statements].map((match) => match[1] ?? match[2] ?? '');
}
