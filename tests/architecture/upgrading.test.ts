import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const headings = (file: string, mark: RegExp): string[] =>
  [...readFileSync(file, 'utf8').matchAll(mark)].map(([, heading = '']) => heading);

test('the page on upgrading says what to do from each version of the changelog', () => {
  const versions = headings('CHANGELOG.md', /^## \[?([^\s\]]+)/gm);

  expect(versions.length).toBeGreaterThan(0);
  expect(headings('docs/guides/upgrading.md', /^### From (\S+)/gm)).toEqual(versions);
});
