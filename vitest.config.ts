import { defineConfig } from 'vitest/config';

/** A test that starts real servers may wait for them this long. */
const REAL_PARTS_TIMEOUT_MS = 60_000;

export default defineConfig({
  test: {
    setupFiles: ['tests/harness/fuzz-seed.ts'],
    reporters: ['default', './tests/harness/expected-skips.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts', 'tests/fuzz/**/*.test.ts', 'tests/architecture/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts', 'tests/conformance/**/*.test.ts'],
          exclude: ['**/postgres-*.test.ts'],
          testTimeout: REAL_PARTS_TIMEOUT_MS,
          hookTimeout: REAL_PARTS_TIMEOUT_MS,
          // Real servers, browsers and X servers: more at once than the machine has cores only slows them all.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          // What depends on the database, on the other one.
          include: [
            'tests/integration/connector/**/*.test.ts',
            'tests/unit/connector/{store,services}/**/*.test.ts',
            'tests/fuzz/connector/**/*.test.ts',
          ],
          // What networks and bouncers do wrong is the same for both.
          exclude: [
            '**/sqlite-*.test.ts',
            '**/*-faults.test.ts',
            '**/connector/{command-line,doctor,drift,faults,limits,poor-upstream,rest-client,sending,sending-crashes,install-guide,start}.test.ts',
          ],
          globalSetup: ['tests/harness/postgres-cluster.ts'],
          testTimeout: REAL_PARTS_TIMEOUT_MS,
          hookTimeout: REAL_PARTS_TIMEOUT_MS,
          maxWorkers: 2,
        },
      },
    ],
  },
});
