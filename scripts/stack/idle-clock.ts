import {
  type ListedProcess,
  listProcesses,
  MS_PER_TICK,
  readIfThere,
  type ThreadTimes,
  timesOfThreads,
  waitsForDisk,
  withDescendants,
} from './process-tree.ts';

// Tests replace the clock; this one measures real programs.
const now = performance.now.bind(performance);

/** Shortest time between two looks at the programs, in milliseconds. */
const LOOK_MS = 500;

/**
 * Longest idle time that one look counts, in milliseconds. Where looks are further apart this process did not run: it
 * was stopped, or the machine was, and so were perhaps its programs.
 */
const IDLE_LOOK_MS_MAX = 2_000;

/** Most time that hidden work is taken to have waited for a processor, as a multiple of its own. */
const HIDDEN_WAIT_MAX = 10;

/** Share of the time for which a disk must be waited for, before this clock looks who waits. */
const DISK_WAIT_SHARE = 1 / 10;

/** Process that works for all tests of a run and is not below theirs, such as a database; its number. */
const SHARED_PROGRAM_VARIABLE = 'HOMEPORT_SHARED_PROGRAM';

/** From now on, and in the processes that this one starts, clocks count the work of this program, too. */
export function countWorkOf(pid: number): void {
  process.env[SHARED_PROGRAM_VARIABLE] = String(pid);
}

/** Times since an idle clock began, in milliseconds. */
export interface IdleTimes {
  passedMs: number;
  idleMs: number;
}

/**
 * Counts the time in which the programs that this process started were idle. Waits end by this clock instead of the
 * wall's: early where a program hangs, and late where the machine is busy, because a program that waits for
 * a processor or a disk is not idle. The first thread of this process does not count: it waits for the others. Whoever has
 * a clock reads it at least twice a second.
 */
export class IdleClock {
  #times: IdleTimes = { passedMs: 0, idleMs: 0 };
  #lookedAt = now();
  #programs = lookAt({ work: new Map(), groups: new Set() });
  #pressure = readPressure();

  /** Each call updates the times, at most twice a second. */
  read(): IdleTimes {
    const lookAtMs = now();
    const sinceLookMs = lookAtMs - this.#lookedAt;
    if (sinceLookMs < LOOK_MS) return this.#times;
    const programs = lookAt(this.#programs);
    const pressure = readPressure();
    const { ranMs, waitedMs, longestWaitMs, hiddenMs } = workBetween(this.#programs.work, programs.work);
    const hiddenWaitMs = Math.min(pressure.processorMs - this.#pressure.processorMs, HIDDEN_WAIT_MAX * hiddenMs);
    const diskMs = pressure.diskMs - this.#pressure.diskMs;
    const diskWaitMs = diskMs > DISK_WAIT_SHARE * sinceLookMs && areAtDisk(programs) ? diskMs : 0;
    const busyMs = Math.min(sinceLookMs, ranMs + waitedMs + hiddenMs + hiddenWaitMs + diskWaitMs);
    // The kernel counts a wait for a processor when it ends, so time that looked idle before may prove to be such a
    // wait.
    const busyBeforeMs = Math.max(0, longestWaitMs - sinceLookMs);
    const idleMs = Math.min(IDLE_LOOK_MS_MAX, sinceLookMs - busyMs) - busyBeforeMs;
    this.#times = {
      passedMs: this.#times.passedMs + sinceLookMs,
      idleMs: Math.max(0, this.#times.idleMs + idleMs),
    };
    this.#lookedAt = lookAtMs;
    this.#programs = programs;
    this.#pressure = pressure;
    return this.#times;
  }
}

/** Times of a process since its start, in milliseconds. */
interface Work {
  ranMs: number;
  ranInEndedChildrenMs: number;
  /** Its threads, without the first one of this process. */
  threads: ReadonlyMap<number, ThreadTimes>;
}

interface Programs {
  /** By process. */
  work: ReadonlyMap<number, Work>;
  /** Their process groups: a program whose parent has ended is found by its group. */
  groups: ReadonlySet<number>;
}

/** Returns the programs as they are now; as they were before if this process has no descriptor left to look. */
function lookAt(before: Programs): Programs {
  try {
    return programsOf(listProcesses(), before.groups);
  } catch {
    return before;
  }
}

/** @param groups groups in which programs were found before */
function programsOf(all: readonly ListedProcess[], groups: ReadonlySet<number>): Programs {
  const own = all.find(({ pid }) => pid === process.pid);
  const shared = Number(process.env[SHARED_PROGRAM_VARIABLE]);
  const found = withDescendants(all, ({ pid, group }) => pid === process.pid || pid === shared || groups.has(group));
  const work = found.map(({ pid, ranMs, ranInEndedChildrenMs }): [number, Work] => {
    const threads = timesOfThreads(pid);
    const waiting = pid === process.pid ? threads.get(pid) : undefined;
    if (waiting !== undefined) threads.set(pid, { ...waiting, ranMs: 0 });
    return [pid, { ranMs: ranMs - (waiting?.ranMs ?? 0), ranInEndedChildrenMs, threads }];
  });
  return {
    work: new Map(work),
    groups: new Set(found.map(({ group }) => group).filter((group) => group !== own?.group)),
  };
}

const areAtDisk = ({ work }: Programs): boolean => [...work.keys()].some(waitsForDisk);

/** Work between two looks, in milliseconds. */
interface WorkBetween {
  /** Threads that are still there ran. */
  ranMs: number;
  /** They waited for a processor. */
  waitedMs: number;
  longestWaitMs: number;
  /** Threads and processes ran that have ended; their waits nobody knows. */
  hiddenMs: number;
}

function workBetween(before: Programs['work'], after: Programs['work']): WorkBetween {
  const between: WorkBetween = { ranMs: 0, waitedMs: 0, longestWaitMs: 0, hiddenMs: 0 };
  let endedMs = 0;
  for (const [pid, { ranMs, ranInEndedChildrenMs, threads }] of after) {
    const earlier = before.get(pid);
    let ranInThreadsMs = 0;
    for (const [thread, times] of threads) {
      const { ranMs: ranBefore, waitedMs: waitedBefore } = earlier?.threads.get(thread) ?? { ranMs: 0, waitedMs: 0 };
      const waitedMs = Math.max(0, times.waitedMs - waitedBefore);
      ranInThreadsMs += Math.max(0, times.ranMs - ranBefore);
      between.waitedMs += waitedMs;
      between.longestWaitMs = Math.max(between.longestWaitMs, waitedMs);
    }
    between.ranMs += ranInThreadsMs;
    // Less than a tick is only rounding.
    between.hiddenMs += Math.max(0, ranMs - (earlier?.ranMs ?? 0) - ranInThreadsMs - MS_PER_TICK);
    endedMs += ranInEndedChildrenMs - (earlier?.ranInEndedChildrenMs ?? 0);
  }
  // What a child did before the first look was counted then.
  for (const [pid, { ranMs, ranInEndedChildrenMs }] of before)
    if (!after.has(pid)) endedMs -= ranMs + ranInEndedChildrenMs;
  between.hiddenMs += Math.max(0, endedMs);
  return between;
}

/** Time in which anything on this machine waited, in milliseconds since its start. */
interface Pressure {
  processorMs: number;
  diskMs: number;
}

/**
 * Returns zeros from a kernel without these counts.
 * @see https://docs.kernel.org/accounting/psi.html
 */
function readPressure(): Pressure {
  const read = (resource: string): number =>
    Number(/^some .*total=(\d+)/.exec(readIfThere(`/proc/pressure/${resource}`))?.[1] ?? 0) / 1e3;
  return { processorMs: read('cpu'), diskMs: read('io') };
}

/** Time for which the threads of a process have run or waited for a processor, in milliseconds. */
export const timeOfProcess = (pid: number): number =>
  [...timesOfThreads(pid).values()].reduce((sum, { ranMs, waitedMs }) => sum + ranMs + waitedMs, 0);
