import { spawn } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { listProcesses, withDescendants } from '../stack/process-tree.ts';
import { progressOf, RECORD_VARIABLE, type RunRecord } from './run-record.ts';
import type { RunEnd } from './verdict.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Longest time in which no test or hook may begin or end. Most have ten minutes and some half an hour, unless they keep
 * their process from everything else: then nothing but this limit ends them.
 */
const STALL_MS = 45 * 60_000;

/** Looks for progress in that time. */
const LOOKS = 200;

export interface RunOptions {
  /** File for the record. */
  recordFile: string;
  stallMs?: number;
}

/**
 * Runs vitest. A signal to this process is passed on to vitest, and a second one kills it. The kernel ends vitest with this process, and a run
 * without progress is killed with all its programs.
 */
export function runVitest(args: readonly string[], { recordFile, stallMs = STALL_MS }: RunOptions): Promise<RunEnd> {
  rmSync(recordFile, { force: true });
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', ...args];
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', '--', ...vitest], {
    stdio: 'inherit',
    env: { ...process.env, [RECORD_VARIABLE]: recordFile },
  });
  let interrupted: NodeJS.Signals | undefined;
  let stalled: string | undefined;
  const pass = (signal: NodeJS.Signals): void => {
    if (interrupted !== undefined) killTree(child.pid);
    interrupted ??= signal;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  const watch = setInterval(
    whenStalled(progressOf(recordFile), () => {
      const minutes = Math.round(stallMs / 60_000);
      stalled = `no test began or ended for ${minutes} minutes, so the run was killed; the last lines show which files had begun`;
      killTree(child.pid);
    }),
    stallMs / LOOKS,
  );
  const { promise, resolve, reject } = Promise.withResolvers<RunEnd>();
  child.once('error', reject);
  child.once('exit', (exitCode, signal) => {
    for (const each of SIGNALS) process.off(each, pass);
    clearInterval(watch);
    resolve({ exitCode, signal, interrupted, stalled, record: readRecord(recordFile) });
  });
  return promise;
}

/** Counts looks instead of time, so that a run that was stopped has as many as any other. */
function whenStalled(progressFile: string, stalled: () => void): () => void {
  let last: number | undefined;
  let looks = 0;
  return () => {
    const newest = statSync(progressFile, { throwIfNoEntry: false })?.mtimeMs;
    looks = newest === last ? looks + 1 : 0;
    last = newest;
    if (looks === LOOKS) stalled();
  };
}

/** Kills a process with all that it has started: a worker in an endless loop does not notice the end of its parent. */
function killTree(root: number | undefined): void {
  for (const { pid } of withDescendants(listProcesses(), (each) => each.pid === root)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

function readRecord(file: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunRecord;
  } catch {
    return undefined;
  }
}
