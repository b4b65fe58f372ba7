import { expect, test } from 'vitest';
import {
  type ComposeSystem,
  localeComposePath,
  ownComposeFile,
} from '../../../../../src/termprog/input/compose/compose-files.ts';
import { Composer } from '../../../../../src/termprog/input/compose/composer.ts';
import { loadCompose } from '../../../../../src/termprog/input/compose/load-compose.ts';
import { keysymNamed } from '../../../../../src/termprog/input/keysyms.ts';

const LOCALES = '/usr/share/X11/locale';

const press = (composer: Composer, name: string, state = 0): string => {
  const composed = composer.press(keysymNamed(name) ?? 0, state);
  return composed.kind === 'made' ? composed.text : composed.kind;
};

test('the file is that of the variable, else .XCompose at home, else that of the locale', () => {
  const files = { '/home/u/.XCompose': '', '/mine': '', [`${LOCALES}/compose.dir`]: 'de/Compose: de_DE.UTF-8\n' };
  expect(ownComposeFile(system(files, { environment: { XCOMPOSEFILE: '/mine' } }))?.path).toBe('/mine');
  expect(ownComposeFile(system(files))?.path).toBe('/home/u/.XCompose');
  expect(ownComposeFile(system({}))).toBeUndefined();
  expect(localeComposePath(system(files))).toBe(`${LOCALES}/de/Compose`);
});

for (const locale of ['de_DE@euro', 'de_DE.ISO8859-1', 'de_DE.utf8']) {
  test(`the locale ${locale} has the sequences of its UTF-8 sibling`, () =>
    expect(localeComposePath(system({ [`${LOCALES}/compose.dir`]: 'de/Compose\t\tde_DE.UTF-8' }, { locale }))).toBe(
      `${LOCALES}/de/Compose`,
    ));
}

test('a locale that X does not know has the sequences of most others', () => {
  expect(localeComposePath(system({}, { locale: 'xx' }))).toBe(`${LOCALES}/en_US.UTF-8/Compose`);
});

test('sequences of a file that comes later take the place of earlier ones', () => {
  const { composer } = load(
    { '/a': 'include "/b"\n<a> <b> : "mine"', '/b': '<a> <b> : "theirs"\n<a> <c> : "c"' },
    '/a',
  );
  expect([press(composer, 'a'), press(composer, 'b')]).toEqual(['taken', 'mine']);
  expect([press(composer, 'a'), press(composer, 'c')]).toEqual(['taken', 'c']);
});

test('a sequence goes on as long as one is longer', () => {
  const { composer } = load({ '/a': '<a> : "short"\n<a> <b> : "long"' }, '/a');
  expect([press(composer, 'a'), press(composer, 'b'), press(composer, 'b')]).toEqual(['taken', 'long', 'passes']);
});

test('modifiers choose among sequences', () => {
  const { composer } = load({ '/a': '<x> : "any"\n!Ctrl <x> : "control"\nShift <x> : "shift"' }, '/a');
  expect([press(composer, 'x'), press(composer, 'x', 4), press(composer, 'x', 1), press(composer, 'x', 8)]).toEqual([
    'any',
    'control',
    'shift',
    'any',
  ]);
});

test('files that include each other end where one would be read inside itself', () => {
  const { composer, warnings } = load({ '/a': 'include "/b"\n<a> : "x"', '/b': 'include "/a"\ninclude "/c"' }, '/a');
  expect(warnings).toEqual(['/b:1: /a includes itself', "/b:2: /c can't be read"]);
  expect(press(composer, 'a')).toBe('x');
});

test('files that include ever more files end at a bound', () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`/${n}`, `include "/${n + 1}"\n`.repeat(40)]));
  const { warnings } = load(files, '/0');
  expect(warnings.length).toBeLessThan(12);
  expect(warnings[0]).toMatch(/: includes too many files$/);
});

test('many faults are reported in few lines', () => {
  const { warnings } = load({ '/a': 'x\n'.repeat(100) }, '/a');
  expect(warnings).toHaveLength(9);
  expect(warnings.at(-1)).toBe('/a: 92 more faults are not shown');
});

test('a long file can be read in pieces', () => {
  expect(load({ '/a': '<a> : "b"\n'.repeat(10_000) }, '/a').steps).toBeGreaterThan(40);
});

test('there is a bound of sequences', () => {
  const lines = Array.from({ length: 66_000 }, (_, n) => `<U${(0x4e00 + n).toString(16)}> : "x"`);
  const { warnings } = load({ '/a': lines.join('\n') }, '/a');
  expect(warnings).toEqual(['/a:65537: there are more than 65536 sequences; the rest is left out']);
});

/** Reads a file, and counts the reads of others. */
function countReads(content: string): { reads: number; longest: number; warnings: string[] } {
  let reads = 0;
  const warnings: string[] = [];
  const readFile = (): undefined => {
    reads += 1;
  };
  const machine = system({}, { readFile });
  const steps = loadCompose({ path: 'own', isOwn: true, content: Buffer.from(content) }, machine, (message) =>
    warnings.push(message),
  );
  for (let step = steps.next(); step.done !== true; step = steps.next());
  return { reads, longest: Math.max(...warnings.map(({ length }) => length)), warnings };
}

test.each([
  ['files that are not there', 'include "/nonexistent"\n'.repeat(5_000)],
  ['the file of the locale', 'include "%L"\n'.repeat(5_000)],
  ['it in one name', `include "${'%L'.repeat(5_000)}"\n`],
  ['it in one shorter name', `include "${'%L'.repeat(2_000)}"\n`],
])('however often a file names %s, few files are asked for and little is said', (_title, content) => {
  const { reads, longest } = countReads(content);
  expect(reads).toBeLessThanOrEqual(64);
  expect(longest).toBeLessThan(10_000);
});

test.each([
  ['a key', `<${'x'.repeat(100_000)}> : "a"`],
  ['a modifier', `${'x'.repeat(100_000)} <a> : "a"`],
  ['a text', `<a> : ${'x'.repeat(100_000)}`],
])('of a word of any length in the place of %s the beginning is told', (_title, content) => {
  const { longest, warnings } = countReads(content);
  expect(longest).toBeLessThan(10_000);
  expect(warnings[0]).toContain('own:1: ');
});

function system(files: Record<string, string>, more: Partial<ComposeSystem> = {}): ComposeSystem {
  return {
    environment: {},
    home: '/home/u',
    locale: 'de_DE.UTF-8',
    readFile: (path) => (Object.hasOwn(files, path) ? Buffer.from(files[path] ?? '') : undefined),
    ...more,
  };
}

function load(files: Record<string, string>, path: string): { composer: Composer; warnings: string[]; steps: number } {
  const warnings: string[] = [];
  const machine = system(files);
  const generator = loadCompose({ path, isOwn: true, content: machine.readFile(path) }, machine, (message) =>
    warnings.push(message),
  );
  for (let steps = 1; ; steps += 1) {
    const step = generator.next();
    if (step.done === true) return { composer: new Composer(step.value), warnings, steps };
  }
}
