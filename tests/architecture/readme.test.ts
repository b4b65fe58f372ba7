import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const readme = readFileSync('README.md', 'utf8');

test('the README names only commands the repository has', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = [...readme.matchAll(/npm (?:run )?(start|test|check|build|generate|bench|[a-z]+:[a-z]+)\b/g)].map(
    ([, name = '']) => name,
  );

  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});
