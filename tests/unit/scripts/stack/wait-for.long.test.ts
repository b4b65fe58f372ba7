import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IdleClock } from '../../../../scripts/stack/idle-clock.ts';
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
