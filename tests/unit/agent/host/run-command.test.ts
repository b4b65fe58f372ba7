import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { MissingProgramError } from '../../../../src/agent/errors.ts';
import { type Command, CommandRunner } from '../../../../src/agent/host/run-command.ts';
import { writeProgram } from '../../../harness/fake-program.ts';
import { processorMsUntil } from '../../../harness/processor-time.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const KEY = 'C5KalKt9ZaU3y/IOSjsj6ZX41K1n4oxH3haqUBUZk10=';

test('output, status and error text of a command are separate', async () => {
  const { run } = await runnerOf('echo "out $1"; echo first >&2; echo second >&2; exit 3');

  expect(await run({ args: ['a b; $(id)'] })).toEqual({
    status: 3,
    output: 'out a b; $(id)\n',
    complaint: 'first; second',
  });
});

test('a program that is nowhere is named', async () => {
  const runner = new CommandRunner('/nowhere:relative');

  await expect(runner.run({ program: 'no-such-program', args: [] })).rejects.toThrow(
    new MissingProgramError('no-such-program'),
  );
});

test('programs of the system are found without a PATH', async () => {
  const { status } = await new CommandRunner(undefined).run({ program: 'true', args: [] });

  expect(status).toBe(0);
});

test('programs get no variable of the agent’s environment', async () => {
  process.env['HOMEPORT_CANARY'] = 'canary';
  onTestFinished(() => void delete process.env['HOMEPORT_CANARY']);
  const { run } = await runnerOf('env; pwd');

  const { output } = await run();

  const names = output.split('\n').map((line) => line.split('=')[0]);
  expect(names.filter((name) => name !== 'PWD' && name !== '_').sort()).toEqual(
    ['', '/', 'LC_ALL', 'NO_COLOR', 'PATH', 'SYSTEMD_COLORS', 'SYSTEMD_PAGER', 'SYSTEMD_URLIFY', 'TZ'].sort(),
  );
});

test('a command that hangs is killed at the deadline, with everything it started', async () => {
  const { folder, run } = await runnerOf(`sleep 60 & echo $! > "$(dirname "$0")/pid"; wait`, 1_500);

  await expect(run()).rejects.toThrow('probe did not end within 1.5 s and was killed');

  const pid = readFileSync(join(folder, 'pid'), 'utf8').trim();
  await waitFor('the process it started is gone', () => !isAlive(pid));
});

test('a command that has not ended is not started a second time', async () => {
  const { folder, run, runner } = await runnerOf(`touch "$(dirname "$0")/started"; exec sleep 60`);
  const first = run();
  first.catch(() => undefined);
  await waitFor('it has started', () => existsSync(join(folder, 'started')));

  await expect(run()).rejects.toThrow('probe is still running since an earlier collection');

  runner.close();
  await expect(first).rejects.toThrow('probe was ended by SIGKILL');
});

test('a command that is asked for while the agent ends, or that ends while its program is looked for, is not started', async () => {
  const { folder, runner } = await runnerOf('touch "$(dirname "$0")/started"');
  const looking = Promise.withResolvers<void>();
  const slow = new CommandRunner(folder, { isExecutable: () => looking.promise.then(() => true) });
  const during = slow.run({ program: 'probe', args: [] });

  slow.close();
  looking.resolve();
  runner.close();

  await expect(during).rejects.toThrow('probe was not run, because the agent ends');
  await expect(runner.run({ program: 'probe', args: [] })).rejects.toThrow('probe was not run, because the agent ends');
  expect(existsSync(join(folder, 'started'))).toBe(false);
});

test('at most eight commands run at once', async () => {
  const { run, runner } = await runnerOf('exec sleep 60');
  const running = Array.from({ length: 8 }, (_, index) => run({ args: [String(index)] }).catch(() => undefined));

  await expect(run()).rejects.toThrow('probe was not run, because 8 commands have not ended');

  runner.close();
  await Promise.all(running);
});

test('output past the cap ends the command', async () => {
  const { run } = await runnerOf('yes');

  await expect(run({ maxOutputBytes: 100_000 })).rejects.toThrow('probe printed more than 100000 bytes and was ended');
});

test('output is handed on piece by piece without being kept', async () => {
  const { run } = await runnerOf('head -c 3000000 /dev/zero');
  let bytes = 0;

  const { output } = await run({
    onOutput: (piece) => {
      bytes += piece.length;
    },
  });

  expect({ bytes, output }).toEqual({ bytes: 3_000_000, output: '' });
});

test('a reader of output that throws ends the command with its own error', async () => {
  const { run } = await runnerOf('yes');

  await expect(
    run({
      onOutput: () => {
        throw new Error('enough');
      },
    }),
  ).rejects.toThrow('enough');
});

test('output that is not UTF-8 still becomes text', async () => {
  const { run } = await runnerOf(String.raw`printf 'a\377b\n'`);

  expect((await run()).output).toBe('a\ufffdb\n');
});

test('a complaint is one short line without keys and control characters', async () => {
  const { run } = await runnerOf(String.raw`printf '\033[31mbad %s\n' "${KEY}" >&2; yes long | head -n 1000 >&2`);

  const { complaint } = await run();

  expect(complaint).toMatch(/^\ufffd\[31mbad \(key\); long; long/);
  expect(complaint.length).toBe(300);
});

test('blanks without end in a complaint cost no more than their length', async () => {
  const { folder, run } = await runnerOf('exec cat "$0.txt" >&2');
  writeFileSync(join(folder, 'probe.txt'), `a${' '.repeat(60_000)}b\n`);
  let complaint = '';

  const spent = await processorMsUntil(async () => {
    complaint = (await run()).complaint;
  });

  expect(complaint).toMatch(/^a {299}$/);
  expect(spent).toBeLessThan(500);
});

test('a file that is not a program is an error, not a crash', async () => {
  const { folder, runner } = await runnerOf('');
  writeFileSync(join(folder, 'broken'), '#!/nowhere\n', { mode: 0o755 });

  await expect(runner.run({ program: 'broken', args: [] })).rejects.toThrow(/^broken could not be started: /);
});

/** A runner that finds one program, `probe`, which does what the script says. */
async function runnerOf(script: string, deadlineMs?: number) {
  const folder = await tempFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  writeProgram(folder.path, 'probe', script);
  const runner = new CommandRunner(folder.path, deadlineMs === undefined ? {} : { deadlineMs });
  onTestFinished(() => runner.close());
  return {
    folder: folder.path,
    runner,
    run: (rest: Partial<Command> = {}) => runner.run({ program: 'probe', args: [], ...rest }),
  };
}

/** Whether a process lives and is not a zombie. */
function isAlive(pid: string): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
