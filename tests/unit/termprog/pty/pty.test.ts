import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { type ChildEnd, Pty } from '../../../../src/termprog/pty/pty.ts';

const size = { rows: 24, columns: 80, width: 480, height: 312 };

/** Runs a shell script on a pseudo-terminal. */
function start(script: string, argv: readonly string[] = ['sh', '-c', script], program = '/bin/sh') {
  const pty = new Pty({ program, argv, environment: [`PATH=${process.env['PATH']}`], size });
  const output: Buffer[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<ChildEnd>();
  pty.listen({ onData: (bytes) => output.push(bytes), onEnd: resolve });
  return { pty, ended, output: () => Buffer.concat(output) };
}

test('no byte of a burst before the end is lost', async () => {
  for (let run = 0; run < 20; run += 1) {
    const { ended, output } = start('stty -opost; head -c 3000000 /dev/zero | tr "\\0" x; printf END');
    expect(await ended).toEqual({ exitCode: 0, signal: undefined });
    expect(output()).toHaveLength(3_000_003);
    expect(output().toString('latin1', 3_000_000)).toBe('END');
  }
}, 60_000);

test('output of a child that ended is read though the program was busy when it could have been', async () => {
  const busy = (ms: number): void => {
    for (const startMs = performance.now(); performance.now() - startMs < ms; );
  };
  const command = { program: '/bin/sh', argv: ['sh', '-c', 'printf END'], environment: ['PATH=/bin:/usr/bin'], size };
  const pty = new Pty(command);
  busy(200);
  const output: Buffer[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<ChildEnd>();
  pty.listen({ onData: (bytes) => output.push(bytes), onEnd: resolve });
  busy(200);
  await ended;

  expect(Buffer.concat(output).toString()).toBe('END');
});

test('argument zero is what it is told to be', async () => {
  const { ended, output } = start('', ['-sh', '-c', 'echo $0']);
  await ended;
  expect(output().toString()).toContain('-sh');
});

test('the exit status and the signal of the child are told', async () => {
  expect(await start('exit 3').ended).toEqual({ exitCode: 3, signal: undefined });
  expect(await start('kill -TERM $$').ended).toEqual({ exitCode: undefined, signal: 15 });
});

test('the child ends though another process keeps the terminal open', async () => {
  const { ended, output } = start("trap '' HUP; sleep 5 & echo $!");
  expect(await ended).toEqual({ exitCode: 0, signal: undefined });
  process.kill(Number(output().toString()));
});

test('the child learns its size and each new one', async () => {
  const { pty, ended, output } = start("trap 'stty size; exit' WINCH; stty size; while :; do sleep 0.02; done");
  await waitFor('the first size is told', () => output().toString() === '24 80\r\n');
  pty.resize({ ...size, rows: 30, columns: 100 });
  await ended;
  expect(output().toString()).toBe('24 80\r\n30 100\r\n');
});

test('the child has a controlling terminal, default signals and no signal blocked', async () => {
  const { ended, output } = start('grep -E "^Sig(Blk|Ign)" /proc/self/status; tty; ps -o stat= -p $$');
  await ended;
  const [blocked = '', ignored = '', terminal, state] = output().toString().split('\r\n');
  expect(blocked).toMatch(/^SigBlk:\t0+$/);
  // The C library keeps two signals of threads, 32 and 33, from everybody.
  expect(Number.parseInt(ignored.slice(-8), 16) & 0x7fff_ffff).toBe(0);
  expect(terminal).toMatch(/^\/dev\/pts\/\d+$/);
  expect(state?.trim()).toMatch(/^Ss\+?$/);
});

test('input arrives in order, also more than the kernel takes at once', async () => {
  const { pty, ended, output } = start('stty raw -echo; echo ready; head -c 300000 | md5sum');
  await waitFor('the child reads', () => output().includes('ready'));
  const input = Buffer.alloc(300_000, 'abcdefg');
  for (let at = 0; at < input.length; at += 1000) pty.write(input.subarray(at, at + 1000));
  await ended;
  expect(output().toString()).toContain(createHash('md5').update(input).digest('hex'));
});

test('hanging up ends the child by SIGHUP', async () => {
  const { pty, ended, output } = start('echo ready; sleep 60');
  await waitFor('the child runs', () => output().includes('ready'));
  pty.hangUp();
  expect(await ended).toEqual({ exitCode: undefined, signal: 1 });
});

test('a program that is not there is named', () => {
  expect(() => start('', ['x'], '/no/such/program')).toThrow("/no/such/program can't be started (ENOENT)");
});
