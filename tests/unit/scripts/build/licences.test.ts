import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { findRefusedLicences } from '../../../../scripts/build/licences/allowed.ts';
import { bundledPackages, readPackage } from '../../../../scripts/build/licences/bundled-packages.ts';
import { formatNotices } from '../../../../scripts/build/licences/notices.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('the packages of a bundle are those of which it has code, also behind a plugin and inside another package', async () => {
  await using folder = await tempFolder();
  const outer = makePackage(folder.path, 'outer', { LICENSE: 'of outer' }, 'MIT');
  const inner = makePackage(outer, 'inner', { 'license.md': 'of inner' }, 'ISC');
  const scoped = makePackage(folder.path, '@scope/name', { COPYING: 'of the scope', NOTICE: 'by us' }, 'Apache-2.0');
  const unused = makePackage(folder.path, 'unused', {}, 'GPL-3.0');

  const packages = bundledPackages([
    metafile({
      'src/main.ts': 10,
      [`${outer}/index.js`]: 5,
      [`${inner}/lib/index.js`]: 5,
      [`small-parser:${scoped}/index.js`]: 5,
      [`${unused}/index.js`]: 0,
    }),
  ]);

  expect(packages.map(({ name, licence, text }) => [name, licence, text])).toEqual([
    ['@scope/name', 'Apache-2.0', 'of the scope\n\nby us'],
    ['inner', 'ISC', 'of inner'],
    ['outer', 'MIT', 'of outer'],
  ]);
});

test('a package without a licence or without its text is named, with what to do', async () => {
  await using folder = await tempFolder();
  const silent = makePackage(folder.path, 'silent', { LICENSE: 'do what you like' });
  const textless = makePackage(folder.path, 'textless', {}, 'MIT');
  const blank = makePackage(folder.path, 'blank', { LICENSE: ' \n' }, 'MIT');

  expect(readPackage(silent)).toMatchObject({ package: 'silent 1.2.3', reason: expect.stringContaining('no licence') });
  for (const path of [textless, blank])
    expect(readPackage(path)).toMatchObject({ reason: expect.stringContaining('no file with the text') });
  expect(() => bundledPackages([metafile({ [`${silent}/a.js`]: 1, [`${textless}/a.js`]: 1 })])).toThrow(
    /silent 1\.2\.3: .*\ntextless 1\.2\.3: /,
  );
});

test('a text that was looked up is not used after a change of the licence', async () => {
  await using folder = await tempFolder();

  expect(readPackage(makePackage(folder.path, 'pgpass', {}, 'MIT'))).toMatchObject({ licence: 'MIT' });
  expect(readPackage(makePackage(folder.path, 'pgpass', {}, 'Apache-2.0'))).toMatchObject({
    package: 'pgpass 1.2.3',
    reason: expect.stringContaining('under Apache-2.0, and was under MIT'),
  });
  expect(readPackage(makePackage(folder.path, 'x11', { LICENSE: 'text' }, 'ISC'))).toMatchObject({
    reason: expect.stringContaining('under ISC, and was under MIT'),
  });
});

test('a licence that Homeport can’t pass on is refused by its name', () => {
  const of = (licence: string) => ({ name: 'a', version: '1.0.0', licence, text: 'text', path: 'node_modules/a' });

  expect(findRefusedLicences([of('MIT'), of('ISC'), of('Apache-2.0')])).toEqual([]);
  for (const licence of ['GPL-3.0-only', 'SEE LICENSE IN x', 'mit']) {
    expect(findRefusedLicences([of(licence)])).toEqual([expect.stringContaining(`a 1.0.0 is under ${licence}`)]);
  }
});

test('a package that is installed beside a bundle is held to the same licences', async () => {
  await using folder = await tempFolder();
  makePackage(folder.path, 'beside', { LICENSE: 'text' }, 'AGPL-3.0-only');
  writeFileSync(join(folder.path, 'main.js'), '');
  const script = `
    const { licencesOf } = await import(${JSON.stringify(resolve('scripts/build/licences/write-licences.ts'))});
    await licencesOf({ entry: 'main.js', format: 'cjs', natives: ['beside'] });`;

  const { stderr } = await execa(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder.path,
    reject: false,
  });

  expect(stderr).toContain('beside 1.2.3 is under AGPL-3.0-only: expected one of ');
});

test('a text that covers several packages is in the notices once', () => {
  const of = (name: string, text: string) => ({ name, version: '1.0.0', licence: 'MIT', text, path: name });

  const notices = formatNotices('a program', [of('a', 'one'), of('b', 'other'), of('c', 'one')]);

  expect(notices.match(/^one$/gm)).toHaveLength(1);
  expect(notices).toContain('a 1.0.0\nc 1.0.0\n');
});

/** Writes a package and returns its folder. */
function makePackage(folder: string, name: string, files: Record<string, string>, licence?: string): string {
  const path = join(folder, 'node_modules', name);
  mkdirSync(path, { recursive: true });
  writeFileSync(
    join(path, 'package.json'),
    JSON.stringify({ name, version: '1.2.3', ...(licence && { license: licence }) }),
  );
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

/** The metafile of a build whose output has this many bytes of each of these files. */
function metafile(inputs: Record<string, number>) {
  return {
    inputs: {},
    outputs: {
      'out.js': {
        bytes: 1,
        imports: [],
        exports: [],
        inputs: Object.fromEntries(Object.entries(inputs).map(([file, bytesInOutput]) => [file, { bytesInOutput }])),
      },
    },
  };
}
