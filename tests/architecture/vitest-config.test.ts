import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, test, vi } from 'vitest';
import { TURN_VARIABLE } from '../../scripts/test/suites.ts';
import config from '../../vitest.config.ts';
import { sourceFiles } from './source-files.ts';

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

/** Files of a project, by its name. */
function filesOf(name: string): string[] {
  const { include = [], exclude = [] } = projects.find((project) => project.name === name) ?? {};
  return globSync(include, { exclude }).toSorted();
}

test('all of the tests that a commit runs with PostgreSQL in part run at night', () => {
  const part = filesOf('long-postgres-unit').filter((file) => !file.startsWith('tests/unit/connector/store/'));
  const all = filesOf('nightly-postgres-unit');
  const ofProgram = filesOf('long-postgres').filter((file) => !file.includes('.long.test.'));

  expect(part.length).toBeGreaterThan(5);
  expect(part.length).toBeLessThan(all.length);
  expect(part.filter((file) => !all.includes(file))).toEqual([]);
  expect(ofProgram.length).toBeGreaterThan(1);
  expect(ofProgram.filter((file) => !filesOf('nightly-postgres').includes(file))).toEqual([]);
});

/** Files that a project includes at a commit with this seed, where the long tests run by turns. */
async function turnOf(name: string, seed: number): Promise<string[]> {
  vi.stubEnv(TURN_VARIABLE, 'yes');
  vi.stubEnv('FUZZ_SEED', String(seed));
  vi.resetModules();
  try {
    const { default: turned } = await import('../../vitest.config.ts');
    const found = (turned.test?.projects ?? []).map((project) => (project as { test?: Tests }).test ?? {});
    const { include = [], exclude = [] } = found.find((project) => project.name === name) ?? {};
    return globSync(include, { exclude });
  } finally {
    vi.unstubAllEnvs();
  }
}

test.each(['long', 'long-postgres'])(
  'three turns run all long tests of the project %s, and each one less than half',
  async (name) => {
    const all = filesOf(name).filter((file) => file.includes('.long.test.'));
    const turns = [await turnOf(name, 0), await turnOf(name, 1), await turnOf(name, 2)];

    expect(all.length).toBeGreaterThan(40);
    expect(all.filter((file) => !turns.flat().includes(file))).toEqual([]);
    const sizes = turns.map((turn) => turn.filter((file) => all.includes(file)).length);
    // A few of them run with PostgreSQL as part of what is the same for each database, too.
    expect(Math.max(...sizes)).toBeLessThan(all.length / 2);
  },
);

/** `a/{b,c}/d` -> `a/b/d`, `a/c/d`: each of them must be there, not only one. */
function alternatives(pattern: string): string[] {
  const [whole, before = '', choices = '', after = ''] = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  return choices.split(',').flatMap((choice) => alternatives(`${before}${choice}${after}`));
}

interface Tests {
  name?: string;
  include?: string[];
  exclude?: string[];
  setupFiles?: string[];
  globalSetup?: string[];
}
