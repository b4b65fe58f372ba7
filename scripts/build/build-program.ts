import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { execa } from 'execa';
import { bundleOptions } from './bundle-options.ts';
import type { ProgramSource } from './programs.ts';
import { writeWhole } from './write-whole.ts';

/** Deadline for compiling; the largest program takes about a second. */
const COMPILE_DEADLINE_MS = 60_000;

interface PackageJson {
  engines: { node: string };
}
const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as PackageJson;
const [major = '0', minor = '0'] = engines.node.replace('>=', '').split('.');

/** EX_CONFIG of sysexits(3): the services' units are not started again after it. */
const UNFIT_STATUS = 78;

/** Runs before any of our modules: under a Node that would crash in a native part it ends with one line. */
const nodeGuard = `{
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < ${major} || (major === ${major} && minor < ${minor})) {
    process.stderr.write('Homeport needs Node.js ${major}.${minor} or newer, this is ' + process.versions.node + '\\n');
    process.exit(${UNFIT_STATUS});
  }
}`;

/** An ES module has no `require` of its own; dependencies that are CommonJS need one. */
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

interface ScriptSource {
  entry: string;
  plugins: Plugin[];
  /** File with the names of the functions that a start runs. */
  names: string;
}

/** Builds a program into `dist/`. */
export async function buildProgram({ entry, output, format, plugins = [], launcher }: ProgramSource): Promise<void> {
  const banner = { js: output.endsWith('.mjs') ? `${requireBanner}\n${nodeGuard}` : nodeGuard };
  const common: BuildOptions = { ...bundleOptions, outfile: output, format, banner };
  if (launcher === undefined) {
    await buildWhole({ ...common, entryPoints: [entry], plugins });
    return;
  }
  const parts = `${output.slice(0, output.lastIndexOf('.'))}-parts`;
  const program = await buildScript({ entry, plugins, names: launcher.startFunctions }, parts);
  await buildWhole({
    ...common,
    entryPoints: [launcher.entry],
    define: { PROGRAM: JSON.stringify(join(basename(parts), program)) },
  });
  // Old files are removed last, so that a program that starts during the build finds all its files.
  for (const name of readdirSync(parts)) {
    if (!name.startsWith(`${program}.`)) rmSync(join(parts, name));
  }
}

/** Builds files, each of which is complete from its first moment in its place. */
export async function buildWhole(options: BuildOptions): Promise<void> {
  const { outputFiles = [] } = await build({ ...options, write: false });
  for (const { path, contents } of outputFiles) writeWhole(path, contents);
}

/**
 * Writes a program as a script whose value is a function of `require` and its own URL, and its code cache.
 * The name changes with the content, so that a cache is never used with another script.
 * @returns the name of its files in `folder`, without their endings
 */
async function buildScript({ entry, plugins, names }: ScriptSource, folder: string): Promise<string> {
  const { outputFiles } = await build({
    ...bundleOptions,
    entryPoints: [entry],
    plugins,
    format: 'cjs',
    // The launcher passes the script the address of its file.
    define: { 'import.meta.url': '__fileUrl' },
    banner: { js: '(function (require, __fileUrl) {' },
    footer: { js: '})' },
    write: false,
  });
  const text = outputFiles.map((file) => file.text).join('');
  if (/\P{ASCII}/u.test(text))
    throw new Error(`a pattern in ${dirname(entry)} holds other than ASCII: write it as \\u....`);
  const name = `program-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  writeWhole(join(folder, `${name}.js`), text);
  await writeCodeCache(join(folder, name), names);
  return name;
}

/**
 * Runs in a process of its own, because V8 accepts a cache only under the flags it was made with: those of every start.
 */
async function writeCodeCache(program: string, names: string): Promise<void> {
  await execa(process.execPath, ['--predictable', 'scripts/build/code-cache.ts', program, names], {
    timeout: COMPILE_DEADLINE_MS,
    env: { NODE_OPTIONS: '' },
  });
}
