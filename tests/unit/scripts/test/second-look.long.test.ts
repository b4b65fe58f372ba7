import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { RunRecord } from '../../../../scripts/test/run-record.ts';
import { judgeRun, judgeSecondLooks } from '../../../../scripts/test/verdict.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const FAILED_AT_THE_FIRST_LOOK = `
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
test('passes when it is alone', () => {
  const before = existsSync('was-here');
  writeFileSync('was-here', '');
  expect(before).toBe(true);
});`;
const NOT_READY_AT_THE_FIRST_LOOK = `
import { existsSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, test } from 'vitest';
beforeAll(() => {
  if (existsSync('is-ready')) return;
  writeFileSync('is-ready', '');
  throw new Error('the port is taken');
});
describe('what needs it', () => test('passes', () => undefined));`;
const FAILS = `import { expect, test } from 'vitest'; test('fails', () => expect(1).toBe(2));`;
const PASSES = `import { expect, test } from 'vitest'; test('passes', () => expect(1).toBe(1));`;
const ESCAPES = `
import { test } from 'vitest';
test('leaves an error behind', async () => {
  setTimeout(() => { throw new Error('nothing awaits this'); });
  await new Promise((done) => setTimeout(done, 50));
});`;

test('a file that fails beside others and passes alone is named in the last line, and the run passes', async () => {
  const { status, lines } = await run({ 'once.test.ts': FAILED_AT_THE_FIRST_LOOK, 'good.test.ts': PASSES });

  expect(lines.at(-1)).toBe('passed at the second look: tests/unit/once.test.ts (unit)');
  expect(lines).toContain('second look: tests/unit/once.test.ts (unit)');
  expect(status).toBe(0);
});

test('a file whose tests could not begin gets a second look', async () => {
  const { status, lines } = await run({ 'hook.test.ts': NOT_READY_AT_THE_FIRST_LOOK, 'good.test.ts': PASSES });

  expect(lines.at(-1)).toBe('passed at the second look: tests/unit/hook.test.ts (unit)');
  expect(status).toBe(0);
});

test('a file that fails twice fails the run, and is named', async () => {
  const { status, lines } = await run({ 'bad.test.ts': FAILS, 'once.test.ts': FAILED_AT_THE_FIRST_LOOK });

  expect(lines.slice(-2)).toEqual([
    'passed at the second look: tests/unit/once.test.ts (unit)',
    'failed twice: tests/unit/bad.test.ts (unit)',
  ]);
  expect(status).toBe(1);
});

test('an error that a test leaves behind is looked at a second time with its file', async () => {
  const { status, lines } = await run({ 'escapes.test.ts': ESCAPES, 'good.test.ts': PASSES });

  expect(lines.at(-1)).toBe('failed twice: tests/unit/escapes.test.ts (unit)');
  expect(status).toBe(1);
});

test('without failures there is no second look', async () => {
  const { status, lines } = await run({ 'good.test.ts': PASSES });

  expect(lines.filter((line) => line.includes('second look'))).toEqual([]);
  expect(status).toBe(0);
});

test('a run that ends before its tests is no success, however it ends', async () => {
  const tests = { 'good.test.ts': PASSES };
  const exits = await run(tests, [], `export default () => process.exit(0);`);
  const runsOut = await run(tests, [], `export default () => new Promise(() => undefined);`);

  expect(exits.errors).toContain('no second look: the run did not reach its end');
  expect(exits.status).toBe(1);
  expect(runsOut.status).not.toBe(0);
});

test.each([
  ['throws', `throw new Error('the server does not end');`, 'an error after the tests, while the run cleaned up'],
  ['fails later', `setTimeout(() => { throw new Error('late'); });`, 'no second look'],
  ['exits', `process.exit(0);`, 'no second look: the run did not reach its end'],
  ['is killed', `process.kill(process.pid, 'SIGKILL');`, 'no second look: SIGKILL ended the run'],
  ['is told to end', `process.kill(process.pid, 'SIGTERM'); await new Promise(() => undefined);`, 'no second look'],
])(
  'a run whose clean-up %s fails, also when all that failed before would pass at a second look',
  async (_, end, reason) => {
    const setUp = `export default () => async () => { ${end} };`;
    for (const tests of [{ 'good.test.ts': PASSES }, { 'once.test.ts': FAILED_AT_THE_FIRST_LOOK }]) {
      const { status, errors } = await run(tests, [], setUp);

      expect(errors).toContain(reason);
      expect(status).not.toBe(0);
    }
  },
);

test('tests that failed at first and are skipped at the second look have failed twice', async () => {
  const skips = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { test } from 'vitest';
    test.skipIf(existsSync('was-here'))('is skipped at the second look', () => {
      writeFileSync('was-here', '');
      throw new Error('not now');
    });`;
  for (const args of [[], ['-t', 'skipped']]) {
    const { status, lines } = await run({ 'skips.test.ts': skips }, args);

    expect(lines.at(-1)).toBe('failed twice: tests/unit/skips.test.ts (unit)');
    expect(status).toBe(1);
  }
});

test('a commit between the two looks does not change which tests are chosen', async () => {
  const commits = `
    import { execSync } from 'node:child_process';
    import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    import { expect, test } from 'vitest';
    import { sliceOfCommit } from '../harness/commit-slice.ts';
    const commit = () => execSync('git -c user.name=x -c user.email=x@example.org commit -q --allow-empty -m next');
    test('chooses the same twice', () => {
      const chosen = String(sliceOfCommit(Array.from({ length: 100_000 }, (_, n) => n), 1));
      if (existsSync('chosen')) return expect(chosen).toBe(readFileSync('chosen', 'utf8'));
      writeFileSync('chosen', chosen);
      execSync('git init -q');
      commit();
      throw new Error('not now');
    });`;
  const { status, lines } = await run({ 'commits.test.ts': commits });

  expect(lines.at(-1)).toBe('passed at the second look: tests/unit/commits.test.ts (unit)');
  expect(status).toBe(0);
});

test('a run that chooses tests by name may leave out the others, and skip none of the chosen', async () => {
  const tests = {
    'many.test.ts': `
      import { describe, test } from 'vitest';
      describe('a kettle', () => {
        test('boils', () => undefined);
        test('whistles', ({ skip }) => skip('later'));
      });`,
  };

  expect(await run(tests, ['-t', 'kettle > boils'])).toMatchObject({ status: 0 });
  const skipped = await run(tests, ['-t', 'kettle']);
  expect(skipped.errors).toContain('whistles: it names no missing capability');
  expect(skipped.status).toBe(1);
  const none = await run(tests, ['-t', 'sings']);
  expect(none.errors).toContain('no second look: no test ran');
  expect(none.status).toBe(1);
});

const failed = (count: number) => ({
  failed: Array.from({ length: count }, (_, n) => ({ project: 'unit', file: `tests/unit/${n}.test.ts` })),
  tests: 600,
  faults: [] as string[],
});

const judge = (exitCode: number, record: RunRecord | undefined) => judgeRun({ exitCode, signal: null, record });

test('five files get a second look, and six fail the run', () => {
  expect(judge(1, failed(5))).toEqual({ lookAgain: failed(5).failed });
  expect(judge(1, failed(6))).toMatchObject({
    exitCode: 1,
    reason: expect.stringContaining('6 files failed, more than 5'),
  });
});

test('a run that did not finish, or failed for another reason than its files, gets no second look', () => {
  expect(judge(1, undefined)).toEqual({ exitCode: 1, reason: 'no second look: the run did not reach its end' });
  expect(judge(1, { ...failed(1), faults: ['skipped: a test: it names no capability'] })).toMatchObject({
    exitCode: 1,
  });
  expect(judge(1, failed(0))).toMatchObject({ exitCode: 1 });
  expect(judgeSecondLooks([], [])).toEqual({ exitCode: 0, lines: [] });
});

test('a run whose exit status is 0 passes only with a record of tests that passed', () => {
  expect(judge(0, failed(0))).toEqual({ exitCode: 0 });
  expect(judge(0, undefined)).toMatchObject({ exitCode: 1 });
  expect(judge(0, { ...failed(0), tests: 0 })).toMatchObject({ exitCode: 1 });
  expect(judge(0, { ...failed(0), faults: ['an error'] })).toMatchObject({ exitCode: 1 });
  expect(judge(0, failed(1))).toEqual({ lookAgain: failed(1).failed });
});

/**
 * Runs the suites' runner in a checkout that has just these tests.
 * @param setUp source of the run's global set-up
 */
async function run(tests: Readonly<Record<string, string>>, args: readonly string[] = [], setUp = '') {
  await using folder = await tempFolder();
  const root = resolve('.');
  for (const part of ['node_modules', 'scripts', 'package.json', 'tests/harness', 'tests/golden']) {
    mkdirSync(dirname(join(folder.path, part)), { recursive: true });
    symlinkSync(join(root, part), join(folder.path, part));
  }
  writeFileSync(
    join(folder.path, 'vitest.config.ts'),
    `export default { test: {
      reporters: ['default', './tests/harness/expected-skips.ts', './tests/harness/failed-files.ts'],
      projects: [{ extends: true, test: { name: 'unit', include: ['tests/unit/*.test.ts'], globalSetup: ['set-up.ts'] } }],
    } };`,
  );
  writeFileSync(join(folder.path, 'set-up.ts'), setUp || 'export default () => undefined;');
  mkdirSync(join(folder.path, 'tests/unit'));
  for (const [name, text] of Object.entries(tests)) writeFileSync(join(folder.path, 'tests/unit', name), text);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts/test/main.ts'), 'quick', '--project', 'unit', ...args],
    { cwd: folder.path, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', VITEST: undefined } },
  );
  return { status, lines: stdout.trim().split('\n'), errors: stderr };
}
