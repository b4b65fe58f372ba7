/**
 * Bundles the three programs into `dist/`, native parts stay outside, and the client for hubs with its types.
 * With `--programs` the programs alone, which takes no compiler of types.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { execa } from 'execa';
import { buildAgent } from './agent-bundle.ts';
import { bundleOptions } from './bundle-options.ts';

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

/** Dependencies that are CommonJS need a require of their own inside an ESM bundle. */
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

/** The compiler needs well under a second for the declarations of one module. */
const TYPES_DEADLINE_MS = 60_000;

await Promise.all([
  build({
    ...bundleOptions,
    entryPoints: ['src/connector/main.ts'],
    outfile: 'dist/connector.mjs',
    format: 'esm',
    banner: { js: `${requireBanner}\n${nodeGuard}` },
  }),
  buildAgent(nodeGuard),
  build({
    ...bundleOptions,
    entryPoints: ['src/termprog/main.ts'],
    outfile: 'dist/termprog.cjs',
    format: 'cjs',
    banner: { js: nodeGuard },
  }),
]);
if (!process.argv.includes('--programs')) {
  await build({
    ...bundleOptions,
    entryPoints: { report: 'src/report-client/index.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    // The types name it too, so that whoever takes them has it.
    external: ['zod'],
    format: 'esm',
  });
  await execa('tsc', ['-p', 'scripts/report-types.json'], { preferLocal: true, timeout: TYPES_DEADLINE_MS });
}
writeFileSync('dist/.stamp', '');
