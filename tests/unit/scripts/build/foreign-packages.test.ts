import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { bundleOptions, unusedDrivers } from '../../../../scripts/build/bundle-options.ts';
import { programs } from '../../../../scripts/build/programs.ts';

test.each(programs)('$name runs no package that is not in its bundle', async ({ entry, format, plugins = [] }) => {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: [entry],
    plugins,
    format,
    define: { 'import.meta.url': '""', 'import.meta.dirname': '""' },
    metafile: true,
    write: false,
  });
  const outside = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path, external }) => external === true && !isBuiltin(path))
    .map(({ path }) => path);

  expect(outside.filter((path) => !unusedDrivers.includes(path.split('/')[0] ?? ''))).toEqual([]);
});

test('the packages that npm installs with it are named to the version, and bring no further ones', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const { dependencies, optionalDependencies } = read('package.json') as Record<string, Record<string, string>>;
  const { packages } = read('package-lock.json') as { packages: Record<string, Record<string, unknown>> };
  const installed = Object.entries({ ...dependencies, ...optionalDependencies });

  expect(installed.map(([name]) => name).sort()).toEqual([
    '@koromix/koffi-linux-arm64',
    '@koromix/koffi-linux-x64',
    'zod',
  ]);
  for (const [name, version] of installed) {
    const locked = packages[`node_modules/${name}`];
    expect({ name, version }).toEqual({ name, version: locked?.['version'] });
    expect(locked?.['integrity'], name).toMatch(/^sha512-/);
    for (const key of ['dependencies', 'optionalDependencies', 'peerDependencies', 'hasInstallScript'])
      expect(locked, name).not.toHaveProperty(key);
  }
});
