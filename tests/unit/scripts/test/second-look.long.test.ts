import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
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

const failed = (count: number) => ({
  failed: Array.from({ length: count }, (_, n) => ({ project: 'unit', file: `tests/unit/${n}.test.ts` })),
  tests: 600,
  faults: [],
});

test('five files get a second look, and six fail the run', () => {
  expect(judgeRun(1, failed(5))).toEqual({ lookAgain: failed(5).failed });
  expect(judgeRun(1, failed(6))).toMatchObject({
    exitCode: 1,
    reason: expect.stringContaining('6 files failed, more than 5'),
  });
});

test('a run that did not finish, or failed for another reason than its files, gets no second look', () => {
  expect(judgeRun(1, undefined)).toEqual({ exitCode: 1, reason: 'no second look: the run did not finish' });
  expect(judgeRun(1, { ...failed(1), faults: ['skipped: a test: it names no capability'] })).toMatchObject({
    exitCode: 1,
  });
  expect(judgeRun(1, failed(0))).toMatchObject({ exitCode: 1 });
  expect(judgeSecondLooks([], [])).toEqual({ exitCode: 0, lines: [] });
});

/** Runs the suites' runner in a checkout that has just these tests. */
async function run(tests: Readonly<Record<string, string>>, args: readonly string[] = []) {
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
      projects: [{ extends: true, test: { name: 'unit', include: ['tests/unit/*.test.ts'] } }],
    } };`,
  );
  mkdirSync(join(folder.path, 'tests/unit'));
  for (const [name, text] of Object.entries(tests)) writeFileSync(join(folder.path, 'tests/unit', name), text);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts/test/main.ts'), 'quick', '--project', 'unit', ...args],
    { cwd: folder.path, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', VITEST: undefined } },
  );
  return { status, lines: stdout.trim().split('\n'), errors: stderr };
}
