import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

/** knex names every driver it could use; only ours are there. */
const unusedDrivers = [
  'better-sqlite3',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'tedious',
  'pg-native',
  'pg-query-stream',
];
const native = ['sqlite3', 'koffi'];

/** What all bundles have in common; native parts stay outside. */
export const bundleOptions = {
  bundle: true,
  platform: 'node' as const,
  target: 'node22',
  external: [...native, ...unusedDrivers],
  // Its main file is UMD, whose inner requires a bundle cannot follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  legalComments: 'none' as const,
  logLevel: 'warning' as const,
} satisfies BuildOptions;

/** Modules that Node itself loads before any program, and so cost nothing. */
const LOADED_BY_NODE: readonly string[] = [
  'node:events',
  'node:fs',
  'node:module',
  'node:path',
  'node:util',
  'node:vm',
];

/** An import of one of Node's modules that is more than types: what is imported, and from where. */
const BUILTIN_IMPORT = /^import\s+(?!type\b)([^;]+?)\s+from\s+'(node:[^']+)'/gm;

/** Node's module -> names that sources in a folder import of it. @throws Error for an import that names nothing */
function* importedNames(folder: string): Generator<[module: string, names: readonly string[]]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, imported = '', module = ''] of text.matchAll(BUILTIN_IMPORT)) {
      if (!imported.startsWith('{')) throw new Error(`${folder}/${file}: import names of ${module}, not all of it`);
      yield [module, imported.match(/(?<![\w$] as |\btype )\b(?!type |as )[\w$]+/g) ?? []];
    }
  }
}

/**
 * Takes Node's own modules as `require` does, each when it is first used.
 * Imported as an ES module one is read whole, and reading one getter of node:http loads an HTTP client:
 * 20 ms and 12 MB of a program that only serves. Getters for all names, and not only those in use, are 3 ms and 2 MB.
 * @param folders where the sources are
 */
export const lazyBuiltins = (...folders: string[]): Plugin => ({
  name: 'lazy-builtins',
  setup(build) {
    const used = new Map<string, Set<string>>();
    for (const [module, names] of folders.flatMap((folder) => [...importedNames(folder)])) {
      used.set(module, new Set([...(used.get(module) ?? []), ...names]));
    }
    build.onResolve({ filter: /^node:/ }, ({ path, importer }) =>
      folders.some((folder) => importer.startsWith(resolve(folder) + sep))
        ? { path, namespace: 'builtin' }
        : { errors: [{ text: `${path} is imported outside of ${folders.join(', ')}` }] },
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const names = [...(used.get(path) ?? [])];
      const module = `process.getBuiltinModule(${JSON.stringify(path)})`;
      if (LOADED_BY_NODE.includes(path)) return { contents: `export const { ${names.join(', ')} } = ${module};` };
      return {
        contents: `let loaded;
for (const name of ${JSON.stringify(names)}) {
  const get = () => (loaded ??= ${module})[name];
  Object.defineProperty(exports, name, { enumerable: true, get });
}`,
      };
    });
  },
});
