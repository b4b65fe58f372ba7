import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { SourceMutation } from '../conformance/requirements/connector-mutations.ts';

/** Variable with the JSON of a `SourceMutation`; without it everything is as it is. */
export const SOURCE_MUTATION_VARIABLE = 'CONNECTOR_MUTATE';

const mutation = JSON.parse(process.env[SOURCE_MUTATION_VARIABLE] ?? 'null') as SourceMutation | null;

/** Runs unit tests against a source that is changed in one place, while the file stays as it is. */
export default defineConfig({
  plugins: [
    {
      name: 'source mutation',
      enforce: 'pre',
      load(id) {
        if (mutation === null || id !== resolve(mutation.file)) return undefined;
        return readFileSync(id, 'utf8').replace(mutation.from, () => mutation.to);
      },
    },
  ],
  test: {
    include: ['tests/unit/connector/**/*.test.ts'],
    isolate: false,
    maxWorkers: 1,
    testTimeout: 20_000,
    // A cached module would be that of another change, or of none.
    fsModuleCache: false,
  },
});
