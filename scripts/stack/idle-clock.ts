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

/** A process that ran for less, in milliseconds, tells nothing of how long others wait. */
const RATIO_LEAST_MS = 1;

/** Share of the time for which a disk must be waited for, before this clock looks who waits. */
const DISK_WAIT_SHARE = 1 / 10;

/** Process that works for all tests of a run and is not below theirs, such as a database; its number. */
const SHARED_PROGRAM_VARIABLE = 'HOMEPORT_SHARED_PROGRAM';

/** Processes and groups that were found once and still live: a program whose parent has ended is found by them. */
const known = { pids: new Set<number>(), groups: new Set<number>() };

/** From now on clocks count the work of all in this process group, also when its leader has ended. */
export const countWorkOfGroup = (group: number): void => void known.groups.add(group);

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
  #programs: Programs = lookAt() ?? new Map();
  #pressure = readPressure();

  /** Each call updates the times, at most twice a second. */
  read(): IdleTimes {
    const lookAtMs = now();
    const sinceLookMs = lookAtMs - this.#lookedAt;
    if (sinceLookMs < LOOK_MS) return this.#times;
    const programs = lookAt();
    if (programs === undefined) return this.#times;
    const pressure = readPressure();
    const { ranMs, waitedMs, longestWaitMs, hiddenMs, waitsPerWork } = workBetween(this.#programs, programs);
    const crowdedMs = Math.max(0, pressure.processorMs - this.#pressure.processorMs);
    const hiddenWaitMs = Math.min(crowdedMs, waitsPerWork * hiddenMs);
    const diskMs = Math.max(0, pressure.diskMs - this.#pressure.diskMs);
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
  threads: ReadonlyMap<number, ThreadTimes>;
}

/** This process, and the programs that it started, by their numbers. */
type Programs = ReadonlyMap<number, Work>;

/** Undefined if this process has no descriptor left to look. */
function lookAt(): Programs | undefined {
  try {
    return programsAmong(listProcesses());
  } catch {
    return undefined;
  }
}

function programsAmong(all: readonly ListedProcess[]): Programs {
  const own = all.find(({ pid }) => pid === process.pid);
  const shared = Number(process.env[SHARED_PROGRAM_VARIABLE]);
  const found = withDescendants(
    all,
    ({ pid, group }) => pid === process.pid || pid === shared || known.pids.has(pid) || known.groups.has(group),
  );
  known.pids = new Set(found.map(({ pid }) => pid));
  known.groups = new Set(found.map(({ group }) => group).filter((group) => group !== own?.group));
  return new Map(
    found.map(({ pid, ranMs, ranInEndedChildrenMs }) => [
      pid,
      { ranMs, ranInEndedChildrenMs, threads: timesOfThreads(pid) },
    ]),
  );
}

const areAtDisk = (programs: Programs): boolean => [...programs.keys()].some(waitsForDisk);

/** Work between two looks, in milliseconds. */
interface WorkBetween {
  /** Threads that are still there ran. */
  ranMs: number;
  /** They waited for a processor. */
  waitedMs: number;
  longestWaitMs: number;
  /** Threads and processes ran that have ended; their waits nobody knows. */
  hiddenMs: number;
  /** How many times as long as it ran the unluckiest process waited for a processor; no more than hidden work may. */
  waitsPerWork: number;
}

function workBetween(before: Programs, after: Programs): WorkBetween {
  const between: WorkBetween = { ranMs: 0, waitedMs: 0, longestWaitMs: 0, hiddenMs: 0, waitsPerWork: 0 };
  let endedMs = 0;
  for (const [pid, work] of after) {
    const earlier = before.get(pid);
    const { ranMs, waitedMs, longestWaitMs } = timesBetween(earlier?.threads, work.threads);
    between.waitedMs += waitedMs;
    between.longestWaitMs = Math.max(between.longestWaitMs, longestWaitMs);
    if (ranMs >= RATIO_LEAST_MS)
      between.waitsPerWork = Math.min(HIDDEN_WAIT_MAX, Math.max(between.waitsPerWork, waitedMs / ranMs));
    // The first thread of this process waits for the others.
    const own = pid === process.pid ? timesBetween(firstOf(earlier), firstOf(work)).ranMs : 0;
    between.ranMs += ranMs - own;
    // Less than a tick is only rounding.
    between.hiddenMs += Math.max(0, work.ranMs - (earlier?.ranMs ?? 0) - ranMs - MS_PER_TICK);
    endedMs += work.ranInEndedChildrenMs - (earlier?.ranInEndedChildrenMs ?? 0);
  }
  // What a child did before the first look was counted then.
  for (const [pid, { ranMs, ranInEndedChildrenMs }] of before)
    if (!after.has(pid)) endedMs -= ranMs + ranInEndedChildrenMs;
  between.hiddenMs += Math.max(0, endedMs);
  return between;
}

const firstOf = (work: Work | undefined): Work['threads'] =>
  new Map([...(work?.threads ?? [])].filter(([thread]) => thread === process.pid));

function timesBetween(
  before: Work['threads'] | undefined,
  after: Work['threads'],
): ThreadTimes & { longestWaitMs: number } {
  const between = { ranMs: 0, waitedMs: 0, longestWaitMs: 0 };
  for (const [thread, { ranMs, waitedMs }] of after) {
    const earlier = before?.get(thread) ?? { ranMs: 0, waitedMs: 0 };
    const waitedSinceMs = Math.max(0, waitedMs - earlier.waitedMs);
    between.ranMs += Math.max(0, ranMs - earlier.ranMs);
    between.waitedMs += waitedSinceMs;
    between.longestWaitMs = Math.max(between.longestWaitMs, waitedSinceMs);
  }
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
