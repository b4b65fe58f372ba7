import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { buildProgram } from '../../scripts/build/build-program.ts';
import { programs } from '../../scripts/build/programs.ts';

/** Folder that git ignores, from where the program finds its native parts. */
const FOLDER = '.cache/newer-connector';
const STEPS = resolve('src/connector/store/migrations/index.ts');
/** End of the list of steps. */
const END = '\n];';

/**
 * Builds the connector as a later version with one more step of the schema; returns the command of its program.
 * @param slowly a statement that the step does last
 */
export async function buildNewerConnector(step: string, slowly = ''): Promise<readonly [string, ...string[]]> {
  const source = programs.find(({ name }) => name === 'homeport-connector');
  if (source === undefined) throw new Error('there is no connector to build');
  const output = resolve(FOLDER, `${step}.mjs`);
  await buildProgram({ ...source, output, plugins: [...(source.plugins ?? []), withStep(step, slowly)] });
  return [process.execPath, output];
}

/** Adds a step that makes a table of its name. */
function withStep(name: string, slowly: string): Plugin {
  const text = JSON.stringify(name);
  const last = slowly === '' ? '' : `await database.raw(${JSON.stringify(slowly)});`;
  const step = `{ name: ${text}, up: async (database) => { await database.schema.createTable(${text}, (table) => void table.text('made')); ${last} } },`;
  return {
    name: 'another-step',
    setup({ onLoad }) {
      onLoad({ filter: /migrations\/index\.ts$/ }, ({ path }) => {
        if (resolve(path) !== STEPS) return undefined;
        const contents = readFileSync(path, 'utf8').replace(END, () => `\n  ${step}${END}`);
        if (!contents.includes(text)) throw new Error(`${STEPS}: expected the end of the list of steps, found none`);
        return { contents, loader: 'ts' };
      });
    },
  };
}
