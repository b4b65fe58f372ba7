import { readdirSync, readFileSync } from 'node:fs';

/** `USER_HZ`: the unit of the times of a listed process. */
export const MS_PER_TICK = 10;

/** A process as proc_pid_stat(5) shows it; times are those since its start, in milliseconds. */
export interface ListedProcess {
  pid: number;
  parent: number;
  /** Process group. */
  group: number;
  /** Ticks between the machine's start and its own. */
  startedAt: number;
  /** Time that its threads ran, those that have ended too. */
  ranMs: number;
  /** The same of its children that have ended, and of theirs. */
  ranInEndedChildrenMs: number;
}

/** @throws Error if the processes can't be listed: there is no descriptor left */
export function listProcesses(): ListedProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = readIfThere(`/proc/${name}/stat`);
    // The name of the program stands in parentheses, and may hold some itself. Field 3 follows it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const field = (number: number): number => Number(fields[number - 3]);
    if (fields.length < 20) return [];
    return [
      {
        pid: Number(name),
        parent: field(4),
        group: field(5),
        startedAt: field(22),
        ranMs: MS_PER_TICK * (field(14) + field(15)),
        ranInEndedChildrenMs: MS_PER_TICK * (field(16) + field(17)),
      },
    ];
  });
}

/** Returns those of the processes that `isRoot` accepts, and all their descendants. */
export function withDescendants(
  all: readonly ListedProcess[],
  isRoot: (process: ListedProcess) => boolean,
): ListedProcess[] {
  const children = Map.groupBy(all, ({ parent }) => parent);
  const found = new Set(all.filter(isRoot));
  for (const { pid } of found) for (const child of children.get(pid) ?? []) found.add(child);
  return [...found];
}

/** Time for which a thread ran, and waited for a processor, in milliseconds. */
export interface ThreadTimes {
  ranMs: number;
  waitedMs: number;
}

/** Times of the threads that a process has now, by their ids. */
export function timesOfThreads(pid: number): Map<number, ThreadTimes> {
  return new Map(threadsOf(pid).map((thread) => [thread, timesOfThread(pid, thread)]));
}

function timesOfThread(pid: number, thread: number): ThreadTimes {
  const [ran = 0, waited = 0] = readIfThere(`/proc/${pid}/task/${thread}/schedstat`).split(' ').map(Number);
  return { ranMs: ran / 1e6, waitedMs: waited / 1e6 };
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

/** Whether a thread of the process waits for a disk. */
export const waitsForDisk = (pid: number): boolean =>
  threadsOf(pid).some((thread) => /\) D [^)]*$/.test(readIfThere(`/proc/${pid}/task/${thread}/stat`)));

/** Empty for a process that has ended meanwhile. */
export function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
