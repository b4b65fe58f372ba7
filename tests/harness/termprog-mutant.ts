import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { bundleOptions } from '../../scripts/build/bundle-options.ts';
import type { TermprogMutation } from '../conformance/requirements/termprog-mutations.ts';

/** Folder that git ignores, from where the program finds its native parts. */
const FOLDER = '.cache/termprog-mutant';

/** Variable with the JSON of a `Mutation`; the shipped program does not read it. */
export const MUTATION_VARIABLE = 'TERMPROG_MUTATE';

/** Parts of the program that a mutant lacks. */
export interface Mutation {
  /** Resources that always have their default. */
  resources: readonly string[];
  /** Resources that have another default. */
  defaults: Readonly<Record<string, string>>;
  /** Spellings of options, without what stands before the name, that are read and then forgotten. */
  options: readonly string[];
  /** Missing actions. */
  actions: readonly string[];
  /** Missing lines of the default translations. */
  translations: readonly string[];
  /** Missing entries of menus, as `MENU.ENTRY`. */
  menuEntries: readonly string[];
}

/** A mutation that changes no part. */
export const NO_MUTATION: Mutation = {
  resources: [],
  defaults: {},
  options: [],
  actions: [],
  translations: [],
  menuEntries: [],
};

const mutation = `const mutation = JSON.parse(process.env['${MUTATION_VARIABLE}'] ?? '${JSON.stringify(NO_MUTATION)}');`;

/** Module -> what stands in its place: its own exports, one of which is changed. */
const stands: Readonly<Record<string, (real: string) => string>> = {
  'src/termprog/xresource/resolve-resources.ts': (real) => `
    export * from ${real};
    import { resolveResources as resolve } from ${real};
    export const resolveResources = (...all) => resolve(...all).map((resolved) => {
      const { name } = resolved.row;
      if (mutation.resources.includes(name)) return { row: resolved.row, value: resolved.row.default, origin: undefined };
      return resolved.origin === undefined && name in mutation.defaults
        ? { ...resolved, value: mutation.defaults[name] }
        : resolved;
    });`,
  'src/termprog/xresource/command-line.ts': (real) => `
    export * from ${real};
    import { parseCommandLine as parse } from ${real};
    const isKept = (spelling) => !mutation.options.includes(spelling.replace(/^(?:--|[-+#])/, ''));
    export const parseCommandLine = (...all) => {
      const { resources, requests, ...read } = parse(...all);
      const words = ['display', 'name', 'class'].filter((name) => !isKept(name));
      return {
        ...read,
        ...Object.fromEntries(words.map((name) => [name, undefined])),
        ...(isKept('e') ? {} : { command: undefined }),
        resources: resources.filter(({ kind, spelling }) => isKept(kind === 'line' ? 'xrm' : spelling)),
        requests: requests.filter(isKept),
      };
    };`,
  'src/termprog/actions/index.ts': (real) => `
    export * from ${real};
    import { actions as all } from ${real};
    export const actions = all.filter(({ name }) => !mutation.actions.includes(name));`,
  'src/termprog/menus/menu-list.ts': (real) => `
    export * from ${real};
    import { menus as all } from ${real};
    const isKept = (menu, { name }) => !mutation.menuEntries.includes(menu + '.' + name);
    export const menus = all.map(({ groups, ...menu }) => ({
      ...menu,
      groups: groups.map((group) => group.filter((entry) => isKept(menu.name, entry))),
    }));`,
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

/** Changes one file as it is read. */
function changing({ file, from, to }: TermprogMutation): Plugin {
  return {
    name: 'changed-source',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path !== resolve(file)) return undefined;
        return { contents: readFileSync(path, 'utf8').replace(from, () => to), loader: 'ts' };
      });
    },
  };
}

/**
 * Builds a terminal that lacks what the environment says, in a folder of that name; its launcher's path.
 * @param change beside that, what is different in its source
 */
export async function buildMutant(name = 'lacking', change?: TermprogMutation): Promise<string> {
  const folder = resolve(FOLDER, name);
  mkdirSync(folder, { recursive: true });
  const program = resolve(folder, 'program.mjs');
  await build({
    ...bundleOptions,
    entryPoints: ['src/termprog/entry.ts'],
    plugins: [...(change === undefined ? [] : [changing(change)]), standIns],
    format: 'esm',
    outfile: program,
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
  });
  const launcher = resolve(folder, 'termprog');
  writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(launcher, 0o755);
  return launcher;
}
