import { closeSync, existsSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { openPty, startChild } from './open-pty.ts';
import { beBusy, recordChild, runProgram, size } from './terminals.ts';

test('all bytes of a burst before the end arrive', async () => {
  for (let run = 0; run < 10; run += 1) {
    const { ended, output } = startChild('stty -opost; head -c 3000000 /dev/zero | tr "\\0" x; printf END');
    expect(await ended).toEqual({ exitCode: 0, signal: undefined });
    expect(output()).toHaveLength(3_000_003);
    expect(output().toString('latin1', 3_000_000)).toBe('END');
  }
});

test('all of 8 kB before the end arrive, in 200 exits', async () => {
  const text = 'x'.repeat(8_000);
  for (let run = 0; run < 200; run += 1) {
    const { ended, output } = startChild(`printf %s '${text}'; exit 7`);
    expect(await ended).toEqual({ exitCode: 7, signal: undefined });
    expect(output().toString()).toBe(text);
  }
});

test('output of an ended child is read even if the program was busy when it came', async () => {
  const pty = openPty('printf END');
  beBusy(200);
  const { ended, output } = recordChild(pty);
  beBusy(200);
  await ended;

  expect(output().toString()).toBe('END');
});

test('output written at once is read in one turn, and the end of the turn is reported', async () => {
  // A busy machine may use up a turn's time before the turn reads; then there are two turns.
  const trials: number[][] = [];
  while (trials.at(-1)?.length !== 1 && trials.length < 20) trials.push(await turnsOf(6_000));

  expect(trials.at(-1)).toEqual([6_000]);
});

/** Bytes of each turn in which a child's output was read that was there all at once. */
async function turnsOf(bytes: number): Promise<number[]> {
  await using folder = await tempFolder();
  const written = join(folder.path, 'written');
  const pty = openPty(`stty -opost; printf %s '${'x'.repeat(bytes)}'; : > ${written}; read line`);
  const { turns, output, ended } = recordChild(pty);
  for (const startMs = performance.now(); !existsSync(written) && performance.now() - startMs < 10_000; ) beBusy(1);
  await waitFor('the text is read', () => output().length === bytes);
  // A turn also ends when its time is over, as on a busy machine; then an empty one follows.
  await waitFor('the end is reported', () => turns.at(-1)?.hasMore === false);
  pty.close();
  expect(await Promise.race([ended, 'not told'])).toBe('not told');
  return turns.map((turn) => turn.bytes).filter((count) => count > 0);
}

test('another turn follows one that used its share up, even without further output', async () => {
  const pty = openPty('printf x; read line');
  const turns: boolean[] = [];
  pty.listen({
    onData: () => void beBusy(5),
    onDrained: ({ hasMore }) => turns.push(hasMore),
    onEnd: () => {},
  });
  await waitFor('the last turn is told', () => turns.at(-1) === false);

  expect(turns).toEqual([true, false]);
  pty.close();
});

test('a turn has a bounded share, and the next follows for certain', async () => {
  const { turns, ended, output } = startChild('stty -opost; head -c 3000000 /dev/zero');
  await ended;

  expect(output()).toHaveLength(3_000_000);
  // 64 KiB, and what the last read of 4 KiB has beyond that; the kernel gives a little more than that at times.
  expect(Math.max(...turns.map(({ bytes }) => bytes))).toBeLessThan(128 * 1024);
  expect(turns.some(({ hasMore }) => hasMore)).toBe(true);
  expect(turns.at(-1)?.hasMore).toBe(false);
});

test('when handling one share takes long, the event loop runs in between', async () => {
  const pty = openPty('stty -opost; head -c 60000 /dev/zero; read line');
  let taken = 0;
  let isAnotherTurn = false;
  pty.listen({
    onData: (bytes) => {
      taken += bytes.length;
      beBusy(5);
    },
    onDrained: ({ hasMore }) => {
      isAnotherTurn ||= hasMore && taken < 60_000;
    },
    onEnd: () => {},
  });
  await waitFor('all is taken', () => taken === 60_000);

  expect(isAnotherTurn).toBe(true);
  pty.close();
});

test('a closed terminal reports no event, also if the output handler closed it', async () => {
  const pty = openPty('while :; do echo noise; done');
  const told: string[] = [];
  const files: number[] = [];
  pty.listen({
    onData: () => {
      told.push('data');
      pty.close();
      pty.close();
      // One of them has the number of the descriptor now.
      for (let n = 0; n < 10; n += 1) files.push(openSync('package.json', 'r'));
    },
    onDrained: () => told.push('drained'),
    onEnd: () => told.push('end'),
  });
  await waitFor('something is read', () => told.length > 0);
  await waitFor('the child is hung up', () => !isRunning(pty.pid));
  for (const file of files) closeSync(file);

  expect(told).toEqual(['data']);
});

test('a child that goes on without its terminal leaves no process and no listener when it ends', async () => {
  await using folder = await tempFolder();
  const go = join(folder.path, 'go');
  const { pty, output } = startChild(`trap '' HUP; echo ready; while [ ! -e ${go} ]; do sleep 0.02; done`);
  await waitFor('the child is ready', () => output().includes('ready'));
  pty.close();
  expect(isRunning(pty.pid)).toBe(true);
  writeFileSync(go, '');
  await waitFor('not even its number is left', () => !existsSync(`/proc/${pty.pid}`));
  await waitFor('nobody waits for it any more', () => process.listenerCount('SIGCHLD') === 0);
});

test('the exit status and the signal of the child are reported', async () => {
  expect(await startChild('exit 3').ended).toEqual({ exitCode: 3, signal: undefined });
  expect(await startChild('kill -TERM $$').ended).toEqual({ exitCode: undefined, signal: 15 });
});

test('the child ends though another process keeps the terminal open', async () => {
  const { ended, output } = startChild("trap '' HUP; sleep 60 & echo $!");
  expect(await ended).toEqual({ exitCode: 0, signal: undefined });
  process.kill(Number(output().toString()));
});

test('a child that closes its terminal and opens it again is still heard', async () => {
  const { ended, output } = startChild(
    'exec <&- >&- 2>&-; sleep 0.1; exec <>/dev/tty >&0 2>&0; echo back; sleep 0.1; exit 4',
  );
  expect(await ended).toEqual({ exitCode: 4, signal: undefined });
  expect(output().toString()).toBe('back\r\n');
});

test('the child learns its size and each new one', async () => {
  const { pty, ended, output } = startChild("trap 'stty size; exit' WINCH; stty size; while :; do sleep 0.02; done");
  await waitFor('the first size is told', () => output().toString() === '24 80\r\n');
  pty.resize({ ...size, rows: 30, columns: 100 });
  await ended;
  expect(output().toString()).toBe('24 80\r\n30 100\r\n');
});

test('hanging up ends the child by SIGHUP, and is of no effect after its end', async () => {
  const { pty, ended, output } = startChild('echo ready; sleep 60');
  await waitFor('the child runs', () => output().includes('ready'));
  pty.hangUp();
  expect(await ended).toEqual({ exitCode: undefined, signal: 1 });
  expect(() => {
    pty.hangUp();
    pty.resize(size);
    pty.input.write(Buffer.from('x'));
    pty.close();
  }).not.toThrow();
});

test('writing stops at the end, even if another file has the descriptor by then', async () => {
  await using folder = await tempFolder();
  const { pty, ended, output } = startChild('stty raw -echo; echo ready; sleep 60');
  await waitFor('the child runs', () => output().includes('ready'));
  pty.input.write(Buffer.alloc(1_000_000, 'x'));
  process.kill(pty.pid, 'SIGKILL');
  await ended;

  const files = Array.from({ length: 20 }, (_, n) => openSync(join(folder.path, `${n}`), 'w'));
  pty.input.write(Buffer.from('late'));
  await new Promise((resolve) => setTimeout(resolve, 150));
  const written = files.map((file) => fstatSync(file).size);
  for (const file of files) closeSync(file);
  expect(written.filter((bytes) => bytes > 0)).toEqual([]);
});

test('after the end no descriptor, timer or signal handler is left', () => {
  const printed = runProgram(`
    import { readdirSync } from 'node:fs';
    const open = () => readdirSync('/proc/self/fd').length;
    // The first one loads what stays loaded.
    for (const script of ['exit', 'stty raw -echo; head -c 100000 /dev/zero; exit 5']) {
      const before = open();
      const pty = new Pty(shellCommand(script));
      const end = await new Promise((onEnd) => {
        pty.listen({ onData() {}, onDrained() {}, onEnd });
        pty.input.write(Buffer.alloc(500_000));
      });
      await new Promise(setImmediate);
      const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'TTYWrap');
      if (end.exitCode === 5) console.log(open() - before, timers.length, process.listenerCount('SIGCHLD'));
    }`);
  expect(printed).toBe('0 0 0\n');
});

test('a terminal whose child cannot be started is closed', () => {
  const printed = runProgram(`
    import { readdirSync, readlinkSync } from 'node:fs';
    try { new Pty({ ...shellCommand(''), program: '/no/such' }); } catch (error) { console.log(error.message); }
    const names = readdirSync('/proc/self/fd').map((fd) => { try { return readlinkSync('/proc/self/fd/' + fd); } catch { return ''; } });
    console.log(names.filter((name) => name.includes('ptmx')).length);`);
  expect(printed).toMatch(/^the command \/no\/such can't be started: there is no such program \(ENOENT\); .*\n0\n$/);
});

/** Whether a process runs; false also for one that ended and was not reaped. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
