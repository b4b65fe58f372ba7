import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { countWorkOf, IdleClock } from '../../../../scripts/stack/idle-clock.ts';
import { startProcess } from '../../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

/** Idle time that is enough for a wait to end here. */
const SHORT_MS = 2_000;

/** Processor time of the first thread of a process, in milliseconds. */
const processorMsOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

const sh = (script: string) => startProcess({ name: 'sh', command: ['sh', '-c', script] });

test('a wait ends when its programs have done nothing for the time it was given, and says what was not true', async () => {
  const idle = sh('exec sleep 600');
  await expect(waitFor('the sleeper has woken', () => false, { timeoutMs: SHORT_MS })).rejects.toThrow(
    /of them idle, this is still not true: the sleeper has woken/,
  );
  await idle.stop();
});

test('a program at work keeps a wait from ending, also when its work is done by its children', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'done');
  const loop = 'n=0; while [ $n -lt 1000000 ]; do n=$((n+1)); done';
  const busy = sh(`sh -c '${loop}; ${loop}; ${loop}' && : > ${file}`);

  await waitFor('the work is done', () => existsSync(file), { timeoutMs: SHORT_MS, process: busy });
  expect(existsSync(file)).toBe(true);
});

test('programs that begin and end all the time keep a wait from ending', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'done');
  const short = `sh -c 'n=0; while [ $n -lt 20000 ]; do n=$((n+1)); done'`;
  const busy = sh(`n=0; while [ $n -lt 150 ]; do ${short}; n=$((n+1)); done; : > ${file}`);

  await waitFor('the work is done', () => existsSync(file), { timeoutMs: SHORT_MS, process: busy });
  expect(existsSync(file)).toBe(true);
});

/** Keeps a processor busy three times over by programs that belong to no test. */
function crowd(processor: number): Disposable {
  const mark = `crowd-${process.pid}`;
  for (let n = 0; n < 3; n++)
    execFileSync(
      'taskset',
      ['-c', `${processor}`, 'setsid', '-f', 'timeout', '120', 'sh', '-c', 'while :; do :; done', mark],
      { stdio: 'ignore' },
    );
  return { [Symbol.dispose]: () => void spawnSync('pkill', ['-KILL', '-f', mark]) };
}

test('programs that begin and end on a crowded processor keep a wait from ending', async () => {
  await using folder = await tempFolder();
  using _ = crowd(0);
  const file = join(folder.path, 'done');
  const short = `sh -c 'n=0; while [ $n -lt 10000 ]; do n=$((n+1)); done'`;
  const busy = sh(`taskset -cp 0 $$; n=0; while [ $n -lt 150 ]; do ${short}; n=$((n+1)); done; : > ${file}`);

  await waitFor('the work is done', () => existsSync(file), { timeoutMs: SHORT_MS, process: busy });
  expect(existsSync(file)).toBe(true);
});

test.each([
  ['while it is waited for', (script: string) => void sh(`${script} & sleep 1`)],
  ['before', (script: string) => sh(`${script} & exit`).ended],
  ['whom another one started', (script: string) => once(spawn('sh', ['-c', `${script} & sleep 2`]), 'spawn')],
])('a program whose parent has ended %s keeps a wait from ending', async (_, start) => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'done');
  const loop = 'n=0; while [ $n -lt 4000000 ]; do n=$((n+1)); done';
  await start(`sh -c '${loop}; : > ${file}'`);

  await waitFor('the work is done', () => existsSync(file), { timeoutMs: SHORT_MS });
  expect(existsSync(file)).toBe(true);
});

test('a program that all tests share keeps a wait from ending', async () => {
  await using folder = await tempFolder();
  const [file, started] = [join(folder.path, 'done'), join(folder.path, 'started')];
  const loop = 'n=0; while [ $n -lt 4000000 ]; do n=$((n+1)); done';
  execFileSync('setsid', ['-f', 'sh', '-c', `echo $$ > ${started}; ${loop}; : > ${file}`], { stdio: 'ignore' });
  await waitFor('it has begun', () => existsSync(started) && readFileSync(started, 'utf8') !== '');
  countWorkOf(Number(readFileSync(started, 'utf8')));

  await waitFor('the work is done', () => existsSync(file), { timeoutMs: SHORT_MS });
  expect(existsSync(file)).toBe(true);
});

test('the short work of many programs at once is no more than a moment of work', async () => {
  const burst = 'n=0; while [ $n -lt 20000 ]; do n=$((n+1)); done';
  const many = sh(`while :; do for each in 1 2 3 4 5 6 7 8 9 10; do { ${burst}; } & done; wait; sleep 2; done`);
  await expect(waitFor('they rest', () => false, { timeoutMs: 2 * SHORT_MS })).rejects.toThrow('they rest');
  await many.stop();
});

test.each([
  ['beside it', (script: string) => once(spawn('sh', ['-c', script]), 'exit')],
  ['while it waits', (script: string) => Promise.resolve(spawnSync('sh', ['-c', script]))],
])('the work of a program that an attempt runs %s keeps the wait from ending', async (_, run) => {
  let attempts = 0;
  const work = 'n=0; while [ $n -lt 2500000 ]; do n=$((n+1)); done';
  await waitFor(
    'the third attempt has ended',
    async () => {
      await run(work);
      attempts += 1;
      return attempts === 3;
    },
    { timeoutMs: SHORT_MS },
  );
  expect(attempts).toBe(3);
});

test('an attempt that starts a program does not keep a wait from ending, also on a crowded machine', async () => {
  using first = crowd(0);
  using second = crowd(1);
  const idle = sh('exec sleep 600');
  const ask = () => spawnSync('sh', ['-c', 'n=0; while [ $n -lt 5000 ]; do n=$((n+1)); done; exit 1']).status === 0;

  await expect(waitFor('it answers', ask, { timeoutMs: 2 * SHORT_MS })).rejects.toThrow('it answers');
  await idle.stop();
  expect([first, second]).toBeDefined();
});

test('a process that was stopped for longer than a wait may take waits on, and tries again', async () => {
  let attempts = 0;
  const stopFor = (ms: number): void =>
    void Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, ms);
  await waitFor(
    'the second attempt after the stop',
    async () => {
      attempts += 1;
      if (attempts === 60) stopFor(3 * SHORT_MS);
      return attempts === 62;
    },
    { timeoutMs: SHORT_MS + 2_000 },
  );
  expect(attempts).toBe(62);
});

test('an attempt that does not end ends the wait, with what was not true', async () => {
  await expect(
    waitFor('the door opens', () => new Promise<boolean>(() => undefined), { timeoutMs: SHORT_MS }),
  ).rejects.toThrow(/still not true: the door opens \(last: an attempt to find out has not ended\)/);
});

test('a process that ends during an attempt without an end ends the wait', async () => {
  const brief = sh('sleep 1; echo the last words');
  await expect(waitFor('it answers', () => new Promise<boolean>(() => undefined), { process: brief })).rejects.toThrow(
    /^sh ended before this was true: it answers\nthe last words/,
  );
});

test('waits of tests that replace the clock end, too', async () => {
  vi.useFakeTimers();
  try {
    const never = () => new Promise<boolean>(() => undefined);
    await expect(waitFor('time passes', never, { timeoutMs: SHORT_MS })).rejects.toThrow('time passes');
  } finally {
    vi.useRealTimers();
  }
});

test('a condition that a program made true before its end is found true, and any other ends the wait with its output', async () => {
  const ended = sh('echo the last words');
  await ended.ended;

  expect(await waitFor('it has spoken', () => ended.output().includes('last words'), { process: ended })).toBe(true);
  await expect(waitFor('it has sung', () => ended.output().includes('a song'), { process: ended })).rejects.toThrow(
    /^sh ended before this was true: it has sung\nthe last words/,
  );
});

test('the idle clock all but stands still while a program works, and goes on when it has ended', async () => {
  const busy = sh('while :; do :; done');
  await waitFor('it works', () => processorMsOf(busy.pid) > 0);
  const clock = new IdleClock();
  await waitFor('it has worked for a while', () => processorMsOf(busy.pid) > SHORT_MS);
  expect(clock.read().idleMs).toBeLessThan(SHORT_MS / 2);

  await busy.stop();
  await waitFor('idle time is counted', () => clock.read().idleMs > 0);
});
