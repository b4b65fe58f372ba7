import { defineConfig } from 'vitest/config';

/** A test that starts real servers may wait for them this long. */
const REAL_PARTS_TIMEOUT_MS = 60_000;

/** A fault may take minutes to show. */
const FAULT_TIMEOUT_MS = 600_000;

/**
 * Most tests wait for other programs rather than for a processor, yet more of them at once than this slow each other.
 * Projects of the same number share their workers, so that none waits until another one has ended.
 */
const WORKERS = 3;

/** Most of the long tests wait most of the time. */
const WORKERS_OF_FAULTS = 4;

/** Tests of the whole connector that depend on what its database does. */
const ON_BOTH_DATABASES = 'tests/integration/connector/{backup,database}.test.ts';

/**
 * Tests with real parts that take most of the time: browsers that look at pages, other programs in front of ours, other
 * people's suites, installations. They run among the long tests.
 */
const LONG_INTEGRATION = [
  'tests/conformance/mcp-suite/**/*.test.ts',
  'tests/integration/agent/{damaged-programs,damaged-sources,install-units,prometheus}.test.ts',
  'tests/integration/connector/{asking-anew,browser-clients,callbacks-hostile,consent-page,doctor,install-units,looks,mcp-from-pages,mention-delivery,oauth-conformance,opener,poor-upstream,proxies,rotate-keys,soju-network,sqlite-refusals,webhook-guide}.test.ts',
  'tests/integration/demo/home.test.ts',
  'tests/integration/nix/terminal.test.ts',
  'tests/integration/termprog/{application-selections,bitmap-glyphs,blinking,covered-window,drawing,font-menu,font-roles,font-slots,input-method,input-method-faults,input-method-lies,keyboard-layouts,keyboard-modes,live-options,lost-release,main-menu,managed-window,menu-behavior,menu-failures,menu-reference,menu-resources,opacity,options,outline-cells,outline-resolutions,outline-slots,outline-text,painter,permissions,pipe-command-output,recorded-keys,reference-cursor,reference-mouse,resizing,resource-sources,restricted-server,screen-notices,scrollbar,selected-text,selecting,selections,self-test,translations,translucent-text,vt-menu,welcome}.test.ts',
];

/** Tests that are the same for each database: with PostgreSQL they run among the long tests. */
const LATER_WITH_POSTGRES =
  'tests/integration/connector/{canary,mcp-*,metrics,oauth,order,pages,reading,rest,settings}.test.ts';
const UNITS_LATER_WITH_POSTGRES = [
  'tests/unit/connector/{store,services,upkeep,oauth}/**/*.test.ts',
  'tests/fuzz/connector/{capture,search}.test.ts',
];

/** Faults of the connector in which its database has a part. */
const FAULTS_ON_BOTH_DATABASES =
  'tests/faults/connector/{crashes,event-crashes,full-disk,interleavings,locked-database}.test.ts';

/**
 * They measure memory and time, or count on time that others would take from them: a terminal and its X server have six
 * seconds to show something, and what makes use of all processors itself needs no company.
 */
const ALONE = [
  'tests/faults/*/mutations.test.ts',
  'tests/faults/connector/attach.test.ts',
  'tests/integration/connector/mention-delivery.test.ts',
  'tests/faults/agent/{hung-mount,quiet,scarce-resources}.test.ts',
  'tests/faults/setup/sqlite3.test.ts',
  'tests/faults/termprog/{child-faults,stopped-server}.test.ts',
];

const realParts = { testTimeout: REAL_PARTS_TIMEOUT_MS, hookTimeout: REAL_PARTS_TIMEOUT_MS };
const faults = {
  testTimeout: FAULT_TIMEOUT_MS,
  hookTimeout: REAL_PARTS_TIMEOUT_MS,
  provide: { hasTime: true as const },
};

export default defineConfig({
  test: {
    setupFiles: ['tests/harness/fuzz-seed.ts'],
    reporters: ['default', './tests/harness/expected-skips.ts'],
    projects: [
      {
        extends: true,
        test: {
          // Those of pure functions take milliseconds; but a machine that is busy may stop one for seconds.
          ...realParts,
          name: 'unit',
          include: ['tests/unit/**/*.test.ts', 'tests/fuzz/**/*.test.ts', 'tests/architecture/**/*.test.ts'],
          // They keep nothing between files, and a process for each takes longer than most of their tests.
          isolate: false,
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          ...realParts,
          name: 'integration',
          include: ['tests/integration/**/*.test.ts', 'tests/conformance/**/*.test.ts'],
          exclude: ['**/postgres-*.test.ts', ...LONG_INTEGRATION],
          globalSetup: ['tests/harness/fresh-build.ts'],
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          ...realParts,
          name: 'postgres',
          include: [ON_BOTH_DATABASES],
          globalSetup: ['tests/harness/fresh-build.ts', 'tests/harness/postgres-cluster.ts'],
          maxWorkers: WORKERS,
        },
      },
      // What waits in real time; `npm test` leaves out all projects whose names begin so.
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults-connector',
          include: ['tests/faults/connector/**/*.test.ts', 'tests/fuzz/connector/**/*.test.ts'],
          exclude: ['**/postgres-*.test.ts', ...ALONE],
          globalSetup: ['tests/harness/fresh-build.ts'],
          maxWorkers: WORKERS_OF_FAULTS,
        },
      },
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults-integration',
          include: LONG_INTEGRATION,
          exclude: ALONE,
          globalSetup: ['tests/harness/fresh-build.ts'],
          maxWorkers: WORKERS_OF_FAULTS,
        },
      },
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults-postgres',
          include: [FAULTS_ON_BOTH_DATABASES, LATER_WITH_POSTGRES, 'tests/faults/connector/postgres-*.test.ts'],
          globalSetup: ['tests/harness/fresh-build.ts', 'tests/harness/postgres-cluster.ts'],
          maxWorkers: WORKERS_OF_FAULTS,
        },
      },
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults-postgres-unit',
          include: UNITS_LATER_WITH_POSTGRES,
          exclude: ['**/sqlite-*.test.ts'],
          globalSetup: ['tests/harness/postgres-cluster.ts'],
          // As without PostgreSQL.
          isolate: false,
          maxWorkers: WORKERS_OF_FAULTS,
        },
      },
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults-of-others',
          include: ['tests/faults/**/*.test.ts', 'tests/fuzz/**/*.test.ts'],
          exclude: ['tests/*/connector/**', ...ALONE],
          globalSetup: ['tests/harness/fresh-build.ts'],
          maxWorkers: WORKERS_OF_FAULTS,
        },
      },
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults-alone',
          include: ALONE,
          globalSetup: ['tests/harness/fresh-build.ts'],
          maxWorkers: 1,
        },
      },
    ],
  },
});
