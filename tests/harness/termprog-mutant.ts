import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { bundleOptions } from '../../scripts/build/bundle-options.ts';

/** In a folder git knows nothing of, from where the program finds its native parts. */
const FOLDER = '.cache/termprog-mutant';

/** Variable with the JSON of a `Mutation`; the shipped program does not read it. */
export const MUTATION_VARIABLE = 'TERMPROG_MUTATE';

/** What a mutant lacks. */
export interface Mutation {
  /** Resources that always have their default. */
  resources: readonly string[];
  /** Missing actions. */
  actions: readonly string[];
  /** Missing lines of the default translations. */
  translations: readonly string[];
}

const mutation = `const mutation = JSON.parse(process.env['${MUTATION_VARIABLE}'] ?? '{"resources":[],"actions":[],"translations":[]}');`;

/** Module -> what stands in its place: its own exports, one of which is changed. */
const stands: Readonly<Record<string, (real: string) => string>> = {
  'src/termprog/xresource/resolve.ts': (real) => `
    export * from ${real};
    import { resolveResources as resolve } from ${real};
    export const resolveResources = (...all) => resolve(...all).map((resolved) =>
      mutation.resources.includes(resolved.row.name)
        ? { row: resolved.row, value: resolved.row.default, origin: undefined }
        : resolved);`,
  'src/termprog/actions/index.ts': (real) => `
    export * from ${real};
    import { actions as all } from ${real};
    export const actions = all.filter(({ name }) => !mutation.actions.includes(name));`,
  'src/termprog/translations/default-translations.ts': (real) => `
    export * from ${real};
    import { DEFAULT_TRANSLATIONS as all } from ${real};
    export const DEFAULT_TRANSLATIONS = all.split('\\n').filter((line) => !mutation.translations.includes(line)).join('\\n');`,
};

/** Puts the stand-ins where the program imports the modules; only they themselves get the real ones. */
const standIns: Plugin = {
  name: 'stand-ins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path, resolveDir, namespace }) => {
      const file = Object.keys(stands).find((candidate) => resolve(candidate) === resolve(resolveDir, path));
      return file === undefined || namespace === 'stand-in' ? undefined : { path: file, namespace: 'stand-in' };
    });
    onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({
      contents: `${mutation}${stands[path]?.(JSON.stringify(resolve(path)))}`,
      resolveDir: process.cwd(),
    }));
  },
};

/** Builds a terminal that lacks what the environment says; its launcher's path. */
export async function buildMutant(): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const program = resolve(FOLDER, 'program.mjs');
  await build({
    ...bundleOptions,
    entryPoints: ['src/termprog/entry.ts'],
    plugins: [standIns],
    format: 'esm',
    outfile: program,
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
  });
  const launcher = resolve(FOLDER, 'termprog');
  writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(launcher, 0o755);
  return launcher;
}
