import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFailed, test } from 'vitest';
import { type ProgramFailure, runProgram } from '../../../../src/termprog/desktop/run-program.ts';
import { writeProgram } from '../../../harness/fake-program.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

/** Deadline in milliseconds, short for a test and long enough for a shell to start. */
const DEADLINE_MS = 1_000;

test('a program that hangs and does not want to end is killed', async () => {
  await using folder = await tempFolder();
  const pidFile = join(folder.path, 'pid');
  const program = writeProgram(
    folder.path,
    'hangs',
    `echo $$ > ${pidFile}; trap '' TERM; while :; do read -r _ < /dev/null; done`,
  );
  onTestFailed(() => {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
  });

  const failure = await new Promise<ProgramFailure>((resolve) => runProgram(program, [], resolve, DEADLINE_MS));

  expect(failure.isMissing).toBe(false);
  expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow('ESRCH');
});

test('a program that is not there is distinguished from one that fails', async () => {
  await using folder = await tempFolder();
  const fails = writeProgram(folder.path, 'fails', 'exit 3');
  const failureOf = (program: string): Promise<ProgramFailure> =>
    new Promise((resolve) => runProgram(program, [], resolve));

  expect((await failureOf(join(folder.path, 'nobody'))).isMissing).toBe(true);
  expect((await failureOf(fails)).isMissing).toBe(false);
});

test('a program that the system refuses to start has failed', async () => {
  const failure = await new Promise<ProgramFailure>((resolve) => runProgram('/etc/passwd/program', [], resolve));
  expect(failure).toEqual({ message: '/etc/passwd/program: spawn ENOTDIR', isMissing: false });
});
