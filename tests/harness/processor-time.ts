import { readFileSync } from 'node:fs';

const MICROSECONDS_PER_MS = 1_000;

/**
 * Milliseconds of a processor that the work takes in this thread. Unlike time by the clock this stays the same on a
 * busy machine. It is meant for work whose cost must not grow out of proportion.
 */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return sinceMs(before);
}

/** Like `processorMs` for work that is awaited, including all that this thread does meanwhile. */
export async function processorMsUntil(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  return sinceMs(before);
}

/** Linux counts time of processors in hundredths of a second for programs; times(2), `USER_HZ`. */
const MS_PER_TICK = 10;

/** Milliseconds of a processor that a program has taken until now, of user and system; proc_pid_stat(5). */
export function processorMsOf(pid: number): number {
  // Behind the name, which may hold anything, comes field 3.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return MS_PER_TICK * (Number(fields[11]) + Number(fields[12]));
}

function sinceMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / MICROSECONDS_PER_MS;
}
