import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import config from '../../vitest.config.ts';

/** `a/{b,c}/d` -> `a/b/d`, `a/c/d`: each of them must be there, not only one. */
function alternatives(pattern: string): string[] {
  const [whole, before = '', choices = '', after = ''] = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  return choices.split(',').flatMap((choice) => alternatives(`${before}${choice}${after}`));
}

interface Tests {
  include?: string[];
  exclude?: string[];
  setupFiles?: string[];
  globalSetup?: string[];
}

const patterns = (config.test?.projects ?? [])
  .map((project) => (project as { test?: Tests }).test ?? {})
  .concat(config.test as Tests)
  .flatMap(({ include = [], exclude = [], setupFiles = [], globalSetup = [] }) => [
    ...include,
    ...exclude,
    ...setupFiles,
    ...globalSetup,
  ]);

test('every place that the configuration of the tests names has files', () => {
  const named = new Set(patterns.flatMap(alternatives));

  expect(named.size).toBeGreaterThan(10);
  expect([...named].filter((place) => globSync(place, { exclude: ['node_modules'] }).length === 0)).toEqual([]);
});
