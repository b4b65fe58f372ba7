import { globSync, readFileSync } from 'node:fs';

/**
 * Where tests are that prove rows: of whole programs, at the window and over HTTP. Those of the connector may also run
 * in one process, where only time or the bouncer is the test's own.
 */
const FILES = [
  ...['agent', 'connector', 'termprog'].flatMap((program) =>
    ['integration', 'faults'].map((project) => `tests/${project}/${program}/**/*.test.ts`),
  ),
  'tests/unit/connector/**/*.test.ts',
];

/** The start of a test, with its title in quotes. */
const TEST = /^ *(?:test|\w+Test)\(\s*(['"`])((?:(?!\1).)+)\1/gm;
const CALL = /\bverifies\(([^)]*)\)/g;

/** One requirement, and a test that proves it. */
export interface ProvedRequirement {
  id: string;
  file: string;
  /** The title in the source: a template with its expressions. */
  title: string;
}

/**
 * Returns the requirements that the sources of the tests claim to prove. @throws Error for a call that stands before
 * any test
 */
export function provedRequirements(): ProvedRequirement[] {
  return globSync(FILES).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const tests = [...text.matchAll(TEST)].map(({ index, 2: title = '' }) => ({ index, title }));
    return [...text.matchAll(CALL)].flatMap(({ index, 1: ids = '' }) => {
      const { title } = tests.findLast((candidate) => candidate.index < index) ?? {};
      if (title === undefined) throw new Error(`${file}: verifies() stands in no test`);
      return [...ids.matchAll(/'([^']+)'/g)].map(([, id = '']) => ({ id, file, title }));
    });
  });
}

/** Returns a regular expression for a title of the source, whose expressions may stand for any text. */
export function titlePattern(title: string): string {
  const parts = title.replaceAll("\\'", "'").split(/\$\{[^}]*\}/);
  return `^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`;
}
