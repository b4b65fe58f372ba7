import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';
import { execa } from 'execa';
import { bundleOptions, lazyBuiltins } from './bundle-options.ts';

/** Beside the launcher: the program, what V8 made of it, and packages it loads when they are needed. */
const PARTS = 'agent-parts';

/** All its sources. */
const FOLDERS = ['src/agent', 'src/kernel', 'schemas'];

/** A start and a handful of requests take well under a second. */
const COMPILE_DEADLINE_MS = 60_000;

/** What only a configuration with problems needs: most of the source there is, and most of the time it takes to read. */
const RARE_PACKAGES = ['zod', 'jsonc-parser'];

/** Leaves the rare packages to files of their own, which are loaded where the program first uses them. */
const rarePackages: Plugin = {
  name: 'rare-packages',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${RARE_PACKAGES.join('|')})$`) }, ({ path }) => ({
      path: `./${path}.cjs`,
      external: true,
    }));
  },
};

/**
 * Builds the agent into `dist/`: a launcher, the program as one script, and its code cache.
 * The launcher is CommonJS, for which Node starts a millisecond sooner; who prefers modules finds one beside it.
 * The script's name changes with its content, so that no cache ever meets another script than its own.
 */
export async function buildAgent(banner: string): Promise<void> {
  await build({
    ...bundleOptions,
    entryPoints: RARE_PACKAGES,
    outdir: `dist/${PARTS}`,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  });
  const program = `${PARTS}/${await buildProgram()}`;
  // V8 takes a cache only under the flags it was made under, which is none.
  const env = { NODE_OPTIONS: '' };
  await execa(process.execPath, ['scripts/agent-code-cache.ts', `dist/${program}`], {
    timeout: COMPILE_DEADLINE_MS,
    env,
  });
  const launcher = {
    ...bundleOptions,
    entryPoints: ['src/agent/launch.ts'],
    define: { PROGRAM: JSON.stringify(program) },
    plugins: [lazyBuiltins(...FOLDERS)],
  };
  await Promise.all([
    build({ ...launcher, outfile: 'dist/agent.cjs', format: 'cjs', banner: { js: banner } }),
    build({
      ...launcher,
      outfile: 'dist/agent.mjs',
      format: 'esm',
      banner: { js: `${banner}\nconst __dirname = import.meta.dirname;` },
    }),
  ]);
  removeOthers(program);
}

/** Writes the program as a script whose value is a function of `require`; its name without the ending. */
async function buildProgram(): Promise<string> {
  const { outputFiles } = await build({
    ...bundleOptions,
    entryPoints: ['src/agent/main.ts'],
    plugins: [lazyBuiltins(...FOLDERS), rarePackages],
    format: 'cjs',
    charset: 'ascii',
    banner: { js: '(function (require) {' },
    footer: { js: '})' },
    write: false,
  });
  const text = outputFiles.map((file) => file.text).join('');
  if (/\P{ASCII}/u.test(text)) throw new Error('a pattern in the agent holds other than ASCII: write it as \\u....');
  const name = `program-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  writeFileSync(`dist/${PARTS}/${name}.js`, text);
  return name;
}

/** Of earlier builds; last, so that an agent that starts meanwhile finds all it needs. */
function removeOthers(program: string): void {
  const kept = [...RARE_PACKAGES.map((name) => `${name}.cjs`), ...['.js', '.cache'].map((end) => `${program}${end}`)];
  for (const name of readdirSync(`dist/${PARTS}`)) {
    if (!kept.some((path) => path.endsWith(name))) rmSync(`dist/${PARTS}/${name}`);
  }
}
