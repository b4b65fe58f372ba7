import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { termprogResources } from '../../schemas/termprog/index.ts';

const readme = readFileSync('README.md', 'utf8');

test('the README counts the X resources that have their effect', () => {
  const wired = termprogResources.filter(
    ({ pending, acceptedOnly }) => pending !== true && acceptedOnly === undefined,
  ).length;

  expect(readme).toContain(`${wired} of ${termprogResources.length} have their effect`);
});

test('the README names only commands the repository has', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = [...readme.matchAll(/npm (?:run )?(start|test|check|build|generate|bench|[a-z]+:[a-z]+)\b/g)].map(
    ([, name = '']) => name,
  );

  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});
