import { expect, test } from 'vitest';
import { BusUnreachableError, MissingProgramError } from '../../../../../src/agent/errors.ts';
import type { Command, CommandResult } from '../../../../../src/agent/host/run-command.ts';
import { CommandRunner } from '../../../../../src/agent/host/run-command.ts';
import { CommandSystemd } from '../../../../../src/agent/host/systemd/command-systemd.ts';
import { FailoverSystemd } from '../../../../../src/agent/host/systemd/failover-systemd.ts';
import type { Systemd } from '../../../../../src/agent/host/systemd/systemd-answers.ts';
import { writeProgram } from '../../../../harness/fake-program.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';

const now = () => ({ realtimeUs: 0, monotonicUs: 0 });

/** Uses a systemd whose program runs this script for every request. */
async function withProgram(script: string, use: (systemd: Systemd) => Promise<void>): Promise<void> {
  await using folder = await tempFolder();
  writeProgram(folder.path, 'systemctl', script);
  const runner = new CommandRunner(folder.path);
  await use(new CommandSystemd((command) => runner.run(command), now));
  runner.close();
}

const answering = (answer: (command: Command) => Partial<CommandResult>): { systemd: Systemd; asked: Command[] } => {
  const asked: Command[] = [];
  const run = async (command: Command): Promise<CommandResult> => {
    asked.push(command);
    return { status: 0, output: '', complaint: '', ...answer(command) };
  };
  return { asked, systemd: new CommandSystemd(run, now) };
};

test('names come last, behind the mark that ends the options', async () => {
  const { asked, systemd } = answering(() => ({ output: 'LoadState=loaded\n\nLoadState=loaded\n' }));

  await systemd.unitAnswers(['--help.service', '-H.service']);

  expect(asked.map(({ program, args }) => [program, args.slice(-3)])).toEqual([
    ['systemctl', ['--', '--help.service', '-H.service']],
  ]);
});

test('one question has seven seconds in all, for all programs that it runs', async () => {
  let monotonicUs = 0;
  const deadlines: (number | undefined)[] = [];
  const run = async ({ args, deadlineMs }: Command): Promise<CommandResult> => {
    monotonicUs += 2_000_000;
    deadlines.push(deadlineMs);
    const isOneName = args.at(-2) === '--';
    return { status: isOneName ? 0 : 1, output: 'LoadState=loaded\n', complaint: 'one is none' };
  };
  const systemd = new CommandSystemd(run, () => ({ realtimeUs: 0, monotonicUs }));

  const answers = await systemd.unitAnswers(['a.service', 'b.service', 'c.service', 'd.service']);

  const told = { load: 'loaded', active: '', sub: '', result: '' };
  const left = { problem: 'not asked: systemctl took too long before' };
  expect(answers).toEqual([told, told, told, left]);
  expect(deadlines).toEqual([7_000, 5_000, 3_000, 1_000]);
});

test('a program that hangs for one name costs that name only, and ends at the deadline of the question', async () => {
  const script = 'for name; do :; done; [ "$name" = b.service ] && sleep 60; [ $# = 6 ] && echo LoadState=loaded';
  await withProgram(script, async (systemd) => {
    const answers = await systemd.unitAnswers(['b.service', 'a.service']);

    expect(answers).toEqual([
      { problem: expect.stringContaining('systemctl did not end within 5 s') },
      { load: 'loaded', active: '', sub: '', result: '' },
    ]);
  });
});

test('a list with bytes that are not text is read as far as it names units', async () => {
  await withProgram("printf 'a.service loaded\\n\\377\\376\\n'", async (systemd) => {
    expect(await systemd.failedUnits()).toEqual(['a.service']);
  });
});

test('a program that prints without end is ended, and the question fails', async () => {
  await withProgram('exec yes a.service', async (systemd) => {
    await expect(systemd.failedUnits()).rejects.toThrow(/printed more than 8388608 bytes and was ended/);
  });
});

test('ten thousand failed units are read', async () => {
  await withProgram('i=0; while [ $i -lt 10000 ]; do echo u$i.service loaded; i=$((i+1)); done', async (systemd) => {
    expect(await systemd.failedUnits()).toHaveLength(10_000);
  });
});

test('the message of systemctl is the reason', async () => {
  const complaint = 'Failed to connect to bus: Host is down';
  await withProgram(`echo '${complaint}' >&2; exit 1`, async (systemd) => {
    await expect(systemd.failedUnits()).rejects.toThrow(`systemctl: ${complaint}`);
    expect(await systemd.unitAnswers(['a.service'])).toEqual([{ problem: `systemctl: ${complaint}` }]);
  });
});

test('the target of a timer is asked about only if it is a unit', async () => {
  const { asked, systemd } = answering(() => ({ output: 'LoadState=loaded\nUnit=--now *\n' }));

  expect(await systemd.unitAnswers(['a.timer'])).toMatchObject([{ service: '--now *', running: false, exitStatus: 0 }]);
  expect(asked).toHaveLength(1);
});

test('an answer with a block too few is not believed', async () => {
  const { systemd } = answering(({ args }) => ({ output: args.includes('b.service') ? 'Id=b\n' : 'LoadState=x\n' }));

  expect(await systemd.unitAnswers(['a.service', 'b.service'])).toEqual([
    { load: 'x', active: '', sub: '', result: '' },
    { problem: 'could not understand systemctl show: expected a block for each unit' },
  ]);
});

const bus = (error: Error): Systemd => ({
  failedUnits: () => Promise.reject(error),
  unitAnswers: () => Promise.reject(error),
  close: () => undefined,
});

test('the program is asked where there is no bus, and only there', async () => {
  const { systemd } = answering(() => ({ output: 'a.service\n' }));

  const withoutBus = new FailoverSystemd(bus(new BusUnreachableError('/bus', 'ENOENT')), systemd);
  expect(await withoutBus.failedUnits()).toEqual(['a.service']);
  const withHungBus = new FailoverSystemd(bus(new Error('no answer')), systemd);
  await expect(withHungBus.failedUnits()).rejects.toThrow('no answer');
});

test('where neither is there, the reason names what is missing', async () => {
  const unreachable = new BusUnreachableError('/bus', 'ENOENT');
  const broken = new FailoverSystemd(bus(unreachable), bus(new Error('systemctl: no')), 'install it');
  await expect(broken.failedUnits()).rejects.toThrow(/message bus at \/bus: ENOENT; systemctl: no; install it$/);
  const missing = new FailoverSystemd(bus(unreachable), bus(new MissingProgramError('systemctl')));
  await expect(missing.failedUnits()).rejects.toThrow(unreachable.message);
});
