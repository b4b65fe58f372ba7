import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import config from '../../vitest.config.ts';
import { sourceFiles } from './source-files.ts';

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

const projects = (config.test?.projects ?? []).map((project) => (project as { test?: Tests }).test ?? {});

const patterns = projects
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

test('every file of tests belongs to a project, so that some command runs it', () => {
  const files = sourceFiles('tests').filter((file) => file.endsWith('.test.ts'));
  const isIn = (file: string, places: readonly string[]): boolean => places.some((place) => matchesGlob(file, place));

  expect(files.length).toBeGreaterThan(100);
  expect(
    files.filter(
      (file) => !projects.some(({ include = [], exclude = [] }) => isIn(file, include) && !isIn(file, exclude)),
    ),
  ).toEqual([]);
});
