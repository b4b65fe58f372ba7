import type { BuildOptions } from 'esbuild';

/** knex imports every driver it could use; only ours are installed. */
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

/** Packages with native parts: they stay outside the bundles, and are the only packages that an installation of Homeport brings. */
export const nativePackages = ['sqlite3', 'koffi'];

/** Node prints the line in which an error was thrown. */
const LINE_CHARACTERS = 120;

/** What all bundles have in common. */
export const bundleOptions = {
  bundle: true,
  platform: 'node' as const,
  target: 'node22',
  external: [...nativePackages, ...unusedDrivers],
  // Its main file is UMD, whose inner requires a bundle can't follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  // The bundle has paths in it, which must not depend on the real place of node_modules.
  preserveSymlinks: true,
  // Comments may have characters beyond ASCII; V8 then keeps the whole text of the program in twice the memory.
  charset: 'ascii' as const,
  minifyWhitespace: true,
  lineLimit: LINE_CHARACTERS,
  legalComments: 'none' as const,
  logLevel: 'warning' as const,
} satisfies BuildOptions;
