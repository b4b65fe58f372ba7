import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { RunRecord } from '../../../../scripts/test/run-record.ts';
import { judgeRun, judgeSecondLooks } from '../../../../scripts/test/verdict.ts';
import { needs } from '../../../harness/needs.ts';
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
  const exits = await run(tests, { setUp: `export default () => process.exit(0);` });
  const runsOut = await run(tests, { setUp: `export default () => new Promise(() => undefined);` });

  expect(exits.errors).toContain('no second look: the run did not reach its end');
  expect(exits.status).toBe(1);
  expect(runsOut.status).not.toBe(0);
});

test.each([
  ['throws', `throw new Error('the server does not end');`, 'an error after the tests, while the run cleaned up'],
  ['sets a status', `process.exitCode = 3;`, 'an error after the tests'],
  ['sets a status last', `process.once('exit', () => { process.exitCode = 3; });`, 'an error after the tests'],
  ['fails later', `setTimeout(() => { throw new Error('late'); });`, 'no second look'],
  ['exits', `process.exit(0);`, 'no second look: the run did not reach its end'],
  ['is killed', `process.kill(process.pid, 'SIGKILL');`, 'no second look: SIGKILL ended the run'],
  ['is told to end', `process.kill(process.pid, 'SIGTERM'); await new Promise(() => undefined);`, 'no second look'],
])(
  'a run whose clean-up %s fails, also when all that failed before would pass at a second look',
  async (_, end, reason) => {
    const setUp = `export default () => async () => { ${end} };`;
    for (const tests of [{ 'good.test.ts': PASSES }, { 'once.test.ts': FAILED_AT_THE_FIRST_LOOK }]) {
      const { status, errors } = await run(tests, { setUp });

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
    const { status, lines } = await run({ 'skips.test.ts': skips }, { args });

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

  expect(await run(tests, { args: ['-t', 'kettle > boils'] })).toMatchObject({ status: 0 });
  const skipped = await run(tests, { args: ['-t', 'kettle'] });
  expect(skipped.errors).toContain('whistles: it names no missing capability');
  expect(skipped.status).toBe(1);
  const none = await run(tests, { args: ['-t', 'sings'] });
  expect(none.errors).toContain('no second look: no test ran');
  expect(none.status).toBe(1);
});

const SLOW = `
  import { test } from 'vitest';
  test('takes a while', () => new Promise((done) => setTimeout(done, 1_000)));`;
const LATE = `
  import { test } from 'vitest';
  test('leaves a timer behind', () => void setTimeout(() => { throw new Error('much later'); }, 1_300));
  test('takes a while', () => new Promise((done) => setTimeout(done, 1_000)));`;

test('an error is blamed on no file where several share a process', async () => {
  const { status, errors } = await run(
    { 'a.test.ts': LATE, 'b.test.ts': LATE },
    { isolate: false, args: ['--maxWorkers', '1'] },
  );

  expect(errors).toContain('an error outside of the tests: much later');
  expect(status).toBe(1);
});

test('files that a run leaves out after a failure fail it', async () => {
  const tests = { 'a.test.ts': FAILED_AT_THE_FIRST_LOOK, 'b.test.ts': FAILS, 'c.test.ts': FAILS };
  for (const isolate of [true, false]) {
    const args = ['--bail', '1', '--maxWorkers', '1'];
    const { status, errors } = await run(tests, { isolate, args });

    expect(errors).toMatch(/none of its tests ran|did not run/);
    expect(status).toBe(1);
  }
});

test('a path that no file has fails the run, also beside another one', async () => {
  const { status, errors } = await run({ 'good.test.ts': PASSES }, { args: ['tests/unit/good', 'tests/unit/god'] });

  expect(errors).toContain('no file of these suites has such a path:\n  tests/unit/god');
  expect(status).toBe(1);
  expect(await run({ 'good.test.ts': PASSES }, { args: ['./tests/unit/good.test.ts'] })).toMatchObject({ status: 0 });
});

test('what did not fail and proves nothing fails the run', async () => {
  const again = `
    import { expect, test } from 'vitest';
    let tries = 0;
    test('passes in the end', { retry: 3 }, () => { tries += 1; expect(tries).toBe(3); });`;
  const nothing = `import { describe } from 'vitest'; describe.todo('all');`;
  for (const [text, reason] of [
    [again, 'passed only when it was tried again: passes in the end'],
    [nothing, 'odd.test.ts: none of its tests ran, or it has none'],
  ] as const) {
    const { status, errors } = await run({ 'odd.test.ts': text, 'good.test.ts': PASSES });

    expect(errors).toContain(reason);
    expect(status).toBe(1);
  }
});

test('a second look without the test that failed does not mend it', async () => {
  const { status, lines } = await run({
    'cases.test.ts': `
      import { existsSync, writeFileSync } from 'node:fs';
      import { test } from 'vitest';
      const cases = existsSync('was-here') ? [] : ['one'];
      writeFileSync('was-here', '');
      test.each(cases)('case %s', () => { throw new Error('not now'); });
      test('something else', () => undefined);`,
  });

  expect(lines.at(-1)).toBe('failed twice: tests/unit/cases.test.ts (unit)');
  expect(status).toBe(1);
});

test('another reporter and other options stay in force, also for the second look', async () => {
  const args = ['--reporter', 'verbose', '--testTimeout=200', '--maxWorkers', '2', 'tests/unit/once'];
  const { status, lines } = await run({ 'once.test.ts': FAILED_AT_THE_FIRST_LOOK, 'good.test.ts': PASSES }, { args });
  expect(lines.at(-1)).toBe('passed at the second look: tests/unit/once.test.ts (unit)');
  expect(status).toBe(0);

  const slow = await run({ 'slow.test.ts': SLOW }, { args: args.slice(0, 5) });
  expect(slow.lines.at(-1)).toBe('failed twice: tests/unit/slow.test.ts (unit)');
});

test('a name that is also a path chooses tests at the second look, too', async () => {
  const { status, lines } = await run(
    { 'alone.test.ts': FAILED_AT_THE_FIRST_LOOK },
    { args: ['alone', '-t', 'alone'] },
  );

  expect(lines.at(-1)).toBe('passed at the second look: tests/unit/alone.test.ts (unit)');
  expect(status).toBe(0);
});

test.each([
  [['--', 'tests/unit/good'], 'vitest ignores what follows'],
  [['--watch'], 'a run of a suite ends'],
  [['tests/unit/good.test.ts:3'], 'not by their lines: -t NAME'],
])('the arguments %j are refused with the remedy', async (args, remedy) => {
  const { status, errors } = await run({ 'good.test.ts': PASSES }, { args });

  expect(errors).toContain(remedy);
  expect(status).toBe(64);
});

test('a name that looks like a line of a file chooses tests', async () => {
  const named = PASSES.replace("'passes'", "'listens on 127.0.0.1:80'");

  expect(await run({ 'good.test.ts': named }, { args: ['-t', '127.0.0.1:80'] })).toMatchObject({ status: 0 });
});

test.each([
  ['behind a hook that failed', `beforeAll(() => { if (!again) throw new Error('not now'); });`, ''],
  ['of the same name as another one', '', `if (!again && n === 2) throw new Error('not now');`],
])('a second look without a test %s does not mend it', async (_, before, body) => {
  const cases = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { beforeAll, describe, test } from 'vitest';
    const again = existsSync('was-here');
    writeFileSync('was-here', '');
    describe('all', () => {
      ${before}
      test.each(again ? [1] : [1, 2])('works', (n) => { ${body} });
    });`;
  const { status, lines } = await run({ 'cases.test.ts': cases });

  expect(lines.at(-1)).toBe('failed twice: tests/unit/cases.test.ts (unit)');
  expect(status).toBe(1);
});

test('programs of a test do not learn where the record is', async () => {
  const asks = `
    import { expect, test } from 'vitest';
    test('knows nothing', () => expect(process.env.HOMEPORT_TEST_RECORD).toBeUndefined());`;
  expect(await run({ 'asks.test.ts': asks })).toMatchObject({ status: 0 });
});

test('a run whose worker is in an endless loop is killed, and says so', async () => {
  await using folder = await checkout({
    'spins.test.ts': `import { test } from 'vitest'; test('spins', () => { for (;;); });`,
  });
  const script = `
    import { judgeRun } from '${resolve('scripts/test/verdict.ts')}';
    import { runVitest } from '${resolve('scripts/test/run-vitest.ts')}';
    const end = await runVitest(['--project', 'unit'], { recordFile: '${folder.path}/record', stallMs: 10_000 });
    console.log(JSON.stringify(judgeRun(end)));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
    cwd: folder.path,
    encoding: 'utf8',
    env: ENVIRONMENT,
  });

  expect(stdout).toContain('so the run was killed');
  expect(spawnSync('pgrep', ['-f', folder.path]).status).toBe(1);
});

test.each(['SIGINT', 'SIGKILL'] as const)(
  'what tests have left after %s is removed, at the latest by the next run',
  async (signal) => {
    const makes = `
    import { writeFileSync } from 'node:fs';
    import { test } from 'vitest';
    import { needs } from '../../../harness/needs.ts';
import { tempFolder } from '../harness/temp-folder.ts';
    test('makes a folder', async () => {
      const { path } = await tempFolder();
      writeFileSync(path + '/file', '');
      writeFileSync('made', path);
      await new Promise(() => undefined);
    });`;
    await using folder = await checkout({ 'makes.test.ts': makes });
    mkdirSync(join(folder.path, 'tmp'));
    const env = { ...ENVIRONMENT, TMPDIR: join(folder.path, 'tmp') };
    const runner = spawn(process.execPath, [RUNNER, 'quick', '--project', 'unit'], {
      cwd: folder.path,
      env,
      stdio: 'ignore',
    });
    const made = (await waitFor('it is made', () => readFileSync(join(folder.path, 'made'), 'utf8'))) as string;
    runner.kill(signal);
    await once(runner, 'exit');
    if (signal === 'SIGKILL') {
      expect(existsSync(made)).toBe(true);
      writeFileSync(join(folder.path, 'tests/unit/makes.test.ts'), PASSES);
      spawnSync(process.execPath, [RUNNER, 'quick', '--project', 'unit'], { cwd: folder.path, env });
    }

    expect(existsSync(made)).toBe(false);
    expect(spawnSync('pgrep', ['-f', folder.path]).status).toBe(1);
    expect(readdirSync(join(folder.path, 'tmp')).filter((name) => name.startsWith('homeport-tests.'))).toEqual([]);
  },
);

/** Has a run that was killed leave a folder, with something mounted in it, and makes the folder of the next run. */
const MOUNTED = `
  set -e
  mkdir outside tmp; echo keep > outside/file
  export TMPDIR=$PWD/tmp
  leave() {
    "$NODE" -e "import('$LEFTOVERS').then(({ makeRunFolder }) => {
      makeRunFolder();
      require('node:fs').mkdirSync('tmp/hp-made01/in', { recursive: true });
      require('node:fs').appendFileSync(process.env.HOMEPORT_TEST_FOLDERS, process.cwd() + '/tmp/hp-made01\\n');
      process.kill(process.pid, 'SIGKILL');
    })" || true
  }
  leave
  mount --bind outside tmp/hp-made01/in
  "$NODE" -e "import('$LEFTOVERS').then(({ makeRunFolder }) => makeRunFolder()[Symbol.dispose]())"
  ls tmp; cat outside/file`;

needs('mount namespaces')('what is mounted in a folder of a killed run stays, and the folder goes', async () => {
  await using folder = await tempFolder();
  const env = { ...ENVIRONMENT, NODE: process.execPath, LEFTOVERS: resolve('scripts/test/leftovers.ts') };
  const { stdout } = spawnSync('unshare', ['--mount', 'sh', '-c', MOUNTED], {
    cwd: folder.path,
    env,
    encoding: 'utf8',
  });

  expect(stdout).toBe('keep\n');
});

needs('process namespaces')('a run in a container that shares its temporary folder is left alone', async () => {
  await using folder = await tempFolder();
  mkdirSync(join(folder.path, 'tmp'));
  const env = { ...ENVIRONMENT, TMPDIR: join(folder.path, 'tmp') };
  const makeFolder = `import('${resolve('scripts/test/leftovers.ts')}').then(({ makeRunFolder }) => makeRunFolder())`;
  const inner = ['--pid', '--fork', '--mount-proc', process.execPath, '-e', makeFolder];
  spawnSync('unshare', inner, { env });
  const [made] = readdirSync(join(folder.path, 'tmp'));

  spawnSync(process.execPath, ['-e', makeFolder], { env });

  expect(readdirSync(join(folder.path, 'tmp'))).toContain(made);
});

const failed = (count: number): RunRecord => {
  const files = Array.from({ length: count }, (_, n) => `tests/unit/${n}.test.ts`);
  return {
    files,
    failed: files.map((file) => ({ project: 'unit', file, tests: ['works'] })),
    passed: ['another one works'],
    skipped: [],
    faults: [],
  };
};

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
  expect(judge(0, { ...failed(0), passed: [] })).toMatchObject({ exitCode: 1 });
  expect(judge(0, { ...failed(0), faults: ['an error'] })).toMatchObject({ exitCode: 1 });
  expect(judge(0, failed(1))).toEqual({ lookAgain: failed(1).failed });
});

const RUNNER = resolve('scripts/test/main.ts');
const ENVIRONMENT = { ...process.env, NO_COLOR: '1', VITEST: undefined };

interface RunOptions {
  args?: readonly string[];
  /** Source of the run's global set-up. */
  setUp?: string;
  /** Whether each file has a process of its own. */
  isolate?: boolean;
}

/** Runs the suites' runner in a checkout that has just these tests. */
async function run(tests: Readonly<Record<string, string>>, { args = [], ...options }: RunOptions = {}) {
  await using folder = await checkout(tests, options);
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUNNER, 'quick', '--project', 'unit', ...args], {
    cwd: folder.path,
    encoding: 'utf8',
    env: ENVIRONMENT,
  });
  return { status, lines: stdout.trim().split('\n'), errors: stderr };
}

async function checkout(tests: Readonly<Record<string, string>>, { setUp, isolate = true }: RunOptions = {}) {
  const folder = await tempFolder();
  const root = resolve('.');
  for (const part of ['node_modules', 'scripts', 'package.json', 'tests/harness', 'tests/golden']) {
    mkdirSync(dirname(join(folder.path, part)), { recursive: true });
    symlinkSync(join(root, part), join(folder.path, part));
  }
  const test = { name: 'unit', include: ['tests/unit/*.test.ts'], globalSetup: ['set-up.ts'], isolate };
  writeFileSync(
    join(folder.path, 'vitest.config.ts'),
    `export default { test: {
      reporters: ['default', './tests/harness/expected-skips.ts', './tests/harness/failed-files.ts'],
      projects: [${JSON.stringify({ extends: true, test })}],
    } };`,
  );
  writeFileSync(join(folder.path, 'set-up.ts'), setUp ?? 'export default () => undefined;');
  mkdirSync(join(folder.path, 'tests/unit'));
  for (const [name, text] of Object.entries(tests)) writeFileSync(join(folder.path, 'tests/unit', name), text);
  return folder;
}
