import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { TURN_VARIABLE } from './scripts/test/suites.ts';
import { sliceOfCommit, turnOfCommit } from './tests/harness/commit-slice.ts';

/**
 * Outer limit of a test, in milliseconds. A test ends much earlier, with a reason: each of its waits ends when the
 * programs of the test have done nothing for half a minute (`scripts/stack/wait-for.ts`).
 */
const OUTER_LIMIT_MS = 600_000;

/** What is polled happens in the process of the test, so this is for a busy machine. */
const POLL_LIMIT_MS = 60_000;

/**
 * Tests wait for other programs for a part of their time, and these keep two processors busy. Projects of the same
 * number share their workers, so that none waits until another one has ended.
 */
const WORKERS = 4;

/** Most of the long tests wait most of the time; six at once keep two processors busy all the time, and are no quicker. */
const WORKERS_OF_LONG_TESTS = 4;

/** Projects with other numbers of workers cannot share them. A run of some files by hand may have both kinds. */
const AFTER_QUICK_TESTS = { groupOrder: 1 };

/** A file's name says when it runs; `npm test` runs the files without such a name. */
const LONG = 'tests/**/*.long.test.ts';
const NIGHTLY = 'tests/**/*.nightly.test.ts';

/** Tests that need a PostgreSQL server; the projects of PostgreSQL run them. */
const POSTGRES_ALONE = 'tests/**/postgres-*.test.ts';

/** Tests of the whole connector that depend on what its database does. */
const ON_BOTH_DATABASES = 'tests/integration/connector/database.test.ts';

/** The unit tests of the store: with PostgreSQL they run among the long tests. */
const STORE = 'tests/unit/connector/store/**/*.test.ts';

/**
 * Tests that are the same for each database. With PostgreSQL a part of them runs among the long tests, chosen by the
 * commit, and all of them at night.
 */
const LATER_WITH_POSTGRES =
  'tests/integration/connector/{canary,mcp-*,metrics,oauth,order,pages,reading,rest,settings}.test.ts';
const UNITS_LATER_WITH_POSTGRES = [
  'tests/unit/connector/{services,upkeep,oauth}/**/*.test.ts',
  'tests/unit/connector/mcp/{history-filters,mentions,search-context,unread-everywhere}.test.ts',
  'tests/fuzz/connector/{capture,search}.test.ts',
];

/** Of those, what no database has a part in. */
const WITHOUT_DATABASE = [
  'tests/unit/connector/oauth/policy/**/*.test.ts',
  'tests/unit/connector/oauth/{client-documents,client-metadata,error-redirects,hostile-inputs,legacy-client}.test.ts',
  'tests/unit/connector/store/{aes-seal,cache,failures,key-file,shared-invalidations,state-keys}.test.ts',
  'tests/unit/connector/upkeep/{expiry,repeat}.test.ts',
  '**/sqlite-*.test.ts',
];

/** Part of the tests that are the same for each database. */
const PART_WITH_POSTGRES = 1 / 3;

/** Faults of the connector in which its database has a part. */
const FAULTS_ON_BOTH_DATABASES =
  'tests/faults/connector/{crashes,doctor-writes,event-crashes,full-disk,interleavings,locked-database,restored-life}.long.test.ts';

/** Long tests of the whole connector that depend on what its database does. */
const LONG_ON_BOTH_DATABASES = 'tests/integration/connector/{backup,wrong-database}.long.test.ts';

/** They break the programs in many ways and run other tests each time. */
const MUTATIONS = 'tests/faults/*/mutations.long.test.ts';

/**
 * Their long run tries a part of the cases, chosen by the commit, or each case less often; their nightly run tries all.
 */
const DEEPER_AT_NIGHT = [
  'tests/faults/connector/passing-interleavings.long.test.ts',
  'tests/faults/connector/interleavings.long.test.ts',
  'tests/faults/termprog/damage.long.test.ts',
  'tests/integration/termprog/resized-{prompts,shells-beside-xterm}.long.test.ts',
];
const DEEPER_AT_NIGHT_WITH_POSTGRES =
  'tests/faults/connector/{interleavings,postgres-interleavings,postgres-moved-recordings}.long.test.ts';

/** They use up the machine's memory, descriptors or processors, or measure how little a program uses of them. */
const ALONE = [
  'tests/faults/connector/attach.long.test.ts',
  'tests/faults/agent/{hung-mount,quiet,scarce-resources}.long.test.ts',
];

/** Long tests that other projects than `long` run. */
const NOT_AMONG_LONG = [POSTGRES_ALONE, MUTATIONS, ...ALONE];

const LONG_WITH_POSTGRES = [
  FAULTS_ON_BOTH_DATABASES,
  LONG_ON_BOTH_DATABASES,
  'tests/faults/connector/postgres-*.long.test.ts',
];

/**
 * The long tests take the processors for more than half an hour, so `npm run test:faults` runs them by turns: each
 * commit a third of the files, and all of them at night. A run by hand has all of them.
 */
const TURNS = 3;

const FUZZ = globSync('tests/fuzz/**/*.test.ts').toSorted();

/** The part of these files that the long tests of this commit run. */
function partWithPostgres(places: string | string[]): string[] {
  const files = globSync(places, { exclude: WITHOUT_DATABASE }).toSorted();
  return sliceOfCommit(files, Math.ceil(PART_WITH_POSTGRES * files.length));
}

/** Files at these places that have their turn at other commits. */
function atOtherTurns(places: string | string[], exclude: string[] = []): string[] {
  if (process.env[TURN_VARIABLE] === undefined) return [];
  const files = globSync(places, { exclude }).toSorted();
  const turn = new Set(turnOfCommit(files, TURNS));
  return files.filter((file) => !turn.has(file));
}

const realParts = { testTimeout: OUTER_LIMIT_MS, hookTimeout: OUTER_LIMIT_MS };
const inDepth = (depth: 'all' | 'slice') => ({ ...realParts, provide: { inDepth: depth } });
const freshBuild = 'tests/harness/fresh-build.ts';
const postgresCluster = 'tests/harness/postgres-cluster.ts';

export default defineConfig({
  test: {
    // A missing golden file is a failure; `npm run test:update` writes them.
    update: 'none',
    setupFiles: ['tests/harness/fuzz-seed.ts'],
    reporters: ['default', './tests/harness/expected-skips.ts', './tests/harness/failed-files.ts'],
    ...realParts,
    expect: { poll: { timeout: POLL_LIMIT_MS } },
    projects: [
      // npm test
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/{unit,fuzz,architecture}/**/*.test.ts'],
          exclude: [LONG, NIGHTLY],
          // They keep nothing between files, and a process for each takes longer than most of their tests.
          isolate: false,
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/{integration,conformance}/**/*.test.ts'],
          exclude: [LONG, NIGHTLY, POSTGRES_ALONE],
          globalSetup: [freshBuild],
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [ON_BOTH_DATABASES, 'tests/integration/connector/postgres-*.test.ts'],
          exclude: [LONG],
          globalSetup: [freshBuild, postgresCluster],
          maxWorkers: WORKERS,
        },
      },
      // npm run test:faults
      {
        extends: true,
        test: {
          name: 'long',
          include: [LONG],
          exclude: [...NOT_AMONG_LONG, ...atOtherTurns(LONG, NOT_AMONG_LONG)],
          globalSetup: [freshBuild],
          maxWorkers: WORKERS_OF_LONG_TESTS,
          sequence: AFTER_QUICK_TESTS,
        },
      },
      {
        extends: true,
        test: {
          name: 'long-postgres',
          include: [...LONG_WITH_POSTGRES, ...partWithPostgres(LATER_WITH_POSTGRES)],
          exclude: atOtherTurns(LONG_WITH_POSTGRES),
          globalSetup: [freshBuild, postgresCluster],
          maxWorkers: WORKERS_OF_LONG_TESTS,
          sequence: AFTER_QUICK_TESTS,
        },
      },
      {
        extends: true,
        test: {
          name: 'long-postgres-unit',
          include: [STORE, ...partWithPostgres(UNITS_LATER_WITH_POSTGRES)],
          exclude: WITHOUT_DATABASE,
          globalSetup: [postgresCluster],
          // As without PostgreSQL.
          isolate: false,
          maxWorkers: WORKERS_OF_LONG_TESTS,
          sequence: AFTER_QUICK_TESTS,
        },
      },
      {
        extends: true,
        test: {
          ...inDepth('slice'),
          name: 'long-fuzz',
          include: sliceOfCommit(FUZZ, 1),
          maxWorkers: WORKERS_OF_LONG_TESTS,
          sequence: AFTER_QUICK_TESTS,
        },
      },
      {
        extends: true,
        test: {
          name: 'long-alone',
          include: [MUTATIONS, ...ALONE],
          exclude: atOtherTurns(ALONE),
          globalSetup: [freshBuild],
          maxWorkers: 1,
        },
      },
      // npm run test:nightly
      {
        extends: true,
        test: {
          ...inDepth('all'),
          name: 'nightly',
          include: [NIGHTLY, MUTATIONS, ...DEEPER_AT_NIGHT, ...FUZZ],
          globalSetup: [freshBuild],
          maxWorkers: 1,
        },
      },
      {
        extends: true,
        test: {
          ...inDepth('all'),
          name: 'nightly-postgres',
          include: [DEEPER_AT_NIGHT_WITH_POSTGRES, LATER_WITH_POSTGRES],
          globalSetup: [freshBuild, postgresCluster],
          maxWorkers: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'nightly-postgres-unit',
          include: UNITS_LATER_WITH_POSTGRES,
          exclude: WITHOUT_DATABASE,
          globalSetup: [postgresCluster],
          isolate: false,
          maxWorkers: 1,
        },
      },
    ],
  },
});
