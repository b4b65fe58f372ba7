import { readdirSync, readFileSync } from 'node:fs';

/** Shortest time between two looks at the programs, in milliseconds. */
const LOOK_MS = 500;

/**
 * Longest time that one look counts, in milliseconds. Where looks are further apart this process did not run: it was
 * stopped, or the machine was, and so were perhaps its programs.
 */
const LOOK_MS_MAX = 2_000;

/** `USER_HZ`: the unit of times in `/proc/PID/stat`. */
const MS_PER_TICK = 10;

/** Times since an idle clock began, in milliseconds, without those in which this process was stopped. */
export interface IdleTimes {
  passedMs: number;
  idleMs: number;
}

/**
 * Counts the time in which the programs that this process started were idle. Waits end by this clock instead of the
 * wall's: early where a program hangs, and late where the machine is busy, because a program that waits for
 * a processor is not idle. Whoever has one reads it at least twice a second.
 */
export class IdleClock {
  #times: IdleTimes = { passedMs: 0, idleMs: 0 };
  #lookedAt = performance.now();
  #work = readWork();

  /** Each call updates the times, at most twice a second. */
  read(): IdleTimes {
    const now = performance.now();
    const sinceLookMs = now - this.#lookedAt;
    if (sinceLookMs < LOOK_MS) return this.#times;
    const work = readWork();
    const { passedMs, idleMs } = this.#times;
    // The kernel counts a wait for a processor when it ends, so time that looked idle before may prove to be such a
    // wait.
    const idleSinceMs = Math.min(LOOK_MS_MAX, sinceLookMs - workBetween(this.#work, work));
    this.#times = {
      passedMs: passedMs + Math.min(LOOK_MS_MAX, sinceLookMs),
      idleMs: Math.max(0, idleMs + idleSinceMs),
    };
    this.#lookedAt = now;
    this.#work = work;
    return this.#times;
  }
}

/** Times of a process since its start, in milliseconds. */
interface Work {
  /** Its threads ran, those that have ended too. */
  ranMs: number;
  /** The threads that it has now waited for a processor. */
  waitedMs: number;
  /** Those of its children ran that have ended, and theirs. */
  ranInEndedChildrenMs: number;
}

/** Work of this process and its descendants, by process. */
type WorkOfAll = ReadonlyMap<number, Work>;

/** Time that all of them ran or waited for a processor, also those that began and ended in between, in milliseconds. */
function workBetween(before: WorkOfAll, after: WorkOfAll): number {
  let workedMs = 0;
  let endedMs = 0;
  for (const [pid, { ranMs, waitedMs, ranInEndedChildrenMs }] of after) {
    const earlier = before.get(pid) ?? { ranMs: 0, waitedMs: 0, ranInEndedChildrenMs: 0 };
    workedMs += Math.max(0, ranMs + waitedMs - earlier.ranMs - earlier.waitedMs);
    endedMs += ranInEndedChildrenMs - earlier.ranInEndedChildrenMs;
  }
  // What a child did before the first look was counted then.
  for (const [pid, { ranMs, ranInEndedChildrenMs }] of before)
    if (!after.has(pid)) endedMs -= ranMs + ranInEndedChildrenMs;
  return workedMs + Math.max(0, endedMs);
}

function readWork(): WorkOfAll {
  const all = listProcesses();
  const children = Map.groupBy(all, ({ parent }) => parent);
  const work = new Map<number, Work>();
  const found = all.filter(({ pid }) => pid === process.pid);
  for (const { pid, ranMs, ranInEndedChildrenMs } of found) {
    const threads = threadsOf(pid).map((thread) => timesOfThread(pid, thread));
    // The first thread of this process only waits for the others.
    const waits = pid === process.pid ? (threads.find(({ thread }) => thread === String(pid))?.ranMs ?? 0) : 0;
    work.set(pid, {
      ranMs: ranMs - waits,
      waitedMs: threads.reduce((sum, { waitedMs }) => sum + waitedMs, 0),
      ranInEndedChildrenMs,
    });
    found.push(...(children.get(pid) ?? []));
  }
  return work;
}

interface ListedProcess {
  pid: number;
  parent: number;
  ranMs: number;
  ranInEndedChildrenMs: number;
}

function listProcesses(): ListedProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = readIfThere(`/proc/${name}/stat`);
    // The name of the program stands in parentheses, and may hold some itself. Field 3 follows it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields.length < 15) return [];
    const ticks = (field: number): number => Number(fields[field - 3]);
    return [
      {
        pid: Number(name),
        parent: Number(fields[1]),
        ranMs: MS_PER_TICK * (ticks(14) + ticks(15)),
        ranInEndedChildrenMs: MS_PER_TICK * (ticks(16) + ticks(17)),
      },
    ];
  });
}

/** Time for which the threads of a process have run or waited for a processor, in milliseconds. */
export const timeOfProcess = (pid: number): number =>
  threadsOf(pid)
    .map((thread) => timesOfThread(pid, thread))
    .reduce((sum, { ranMs, waitedMs }) => sum + ranMs + waitedMs, 0);

function timesOfThread(pid: number, thread: string): { thread: string; ranMs: number; waitedMs: number } {
  const [ran = 0, waited = 0] = readIfThere(`/proc/${pid}/task/${thread}/schedstat`).split(' ').map(Number);
  return { thread, ranMs: ran / 1e6, waitedMs: waited / 1e6 };
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Empty for a process that has ended meanwhile. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
