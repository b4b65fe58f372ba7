/** Bundles the three programs into `dist/`; native parts stay outside. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type BuildOptions, build } from 'esbuild';

interface PackageJson {
  engines: { node: string };
}
const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as PackageJson;
const [major = '0', minor = '0'] = engines.node.replace('>=', '').split('.');

/** Ends with one line under a Node that would crash in a native part; it runs before any module of ours. */
const nodeGuard = `{
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < ${major} || (major === ${major} && minor < ${minor})) {
    process.stderr.write('Homeport needs Node.js ${major}.${minor} or newer, this is ' + process.versions.node + '\\n');
    process.exit(1);
  }
}`;

/** knex names every driver it could use; only ours are there. */
const unusedDrivers = [
  'better-sqlite3',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'tedious',
  'pg',
  'pg',
  'pg-native',
  'pg-query-stream',
];
const native = ['sqlite3', 'koffi'];

const shared = {
  bundle: true,
  platform: 'node' as const,
  target: 'node22',
  external: [...native, ...unusedDrivers],
  // Its main file is UMD, whose inner requires a bundle cannot follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  legalComments: 'none' as const,
  logLevel: 'warning' as const,
} satisfies BuildOptions;

await Promise.all([
  ...(['connector', 'agent'] as const).map((program) =>
    build({
      ...shared,
      entryPoints: [`src/${program}/main.ts`],
      outfile: `dist/${program}.mjs`,
      format: 'esm',
      // Dependencies that are CommonJS need a require of their own inside an ESM bundle.
      banner: {
        js: `import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);\n${nodeGuard}`,
      },
    }),
  ),
  build({
    ...shared,
    entryPoints: ['src/termprog/main.ts'],
    outfile: 'dist/termprog.cjs',
    format: 'cjs',
    banner: { js: nodeGuard },
  }),
]);
writeFileSync('dist/.stamp', '');
