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

/**
 * Takes Node's own modules as `require` does, each when it is first used.
 * Imported as an ES module one is read whole, and reading one getter of node:http loads an HTTP client:
 * 20 ms and 12 MB of a program that only serves.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'builtin' }));
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `let loaded;
for (const name of ${JSON.stringify(Object.keys(process.getBuiltinModule(path) ?? {}))}) {
  const get = () => (loaded ??= process.getBuiltinModule(${JSON.stringify(path)}))[name];
  Object.defineProperty(exports, name, { enumerable: true, get });
}`,
    }));
  },
};
