import type { BuildOptions } from 'esbuild';

/** Drivers that knex imports, and that are not installed; it loads the one that a configuration of its own names. */
export const unusedDrivers = [
  'better-sqlite3',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'tedious',
  'pg-native',
  'pg-query-stream',
];

/**
 * Package that calls C libraries, as its authors have built it for this kind of machine. It stays outside the bundles.
 */
export const koffiPackage = `@koromix/koffi-linux-${process.arch}`;

/** Length of the bundles' lines: Node prints the line in which an error was thrown. */
const LINE_CHARACTERS = 120;

/** Options of all bundles. */
export const bundleOptions = {
  bundle: true,
  platform: 'node' as const,
  target: 'node22',
  // The bundler does not know which properties a Node knows, and would make such an expression anew at each use.
  supported: { 'regexp-unicode-property-escapes': true },
  // The program looks for koffi beside itself, for machines other than those of the builds.
  external: ['koffi', ...unusedDrivers],
  alias: {
    // The package's main file is UMD, whose inner requires a bundle can't follow.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    // An optional package for coloured messages. Each start would run what has its name anywhere above the program or in
    // a folder of the user, and nobody has looked at that. A module without its members has the same effect as none.
    'supports-color': 'node:os',
  },
  // The bundle has paths in it, which must not depend on the real place of node_modules.
  preserveSymlinks: true,
  // Comments may have characters beyond ASCII; V8 then keeps the whole text of the program in twice the memory.
  charset: 'ascii' as const,
  minifyWhitespace: true,
  lineLimit: LINE_CHARACTERS,
  legalComments: 'none' as const,
  logLevel: 'warning' as const,
} satisfies BuildOptions;
