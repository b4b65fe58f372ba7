import { readdirSync, readFileSync } from 'node:fs';

/** Shortest time between two looks at the programs, in milliseconds. */
const LOOK_MS = 500;

/**
 * Counts the time in which the programs that this process started were idle. Waits end by this clock instead of the
 * wall's: early where a program hangs, and late where the machine is busy, because a program that waits for
 * a processor is not idle.
 */
export class IdleClock {
  #idleMs = 0;
  #lookedAt = performance.now();
  #times = readTimes();

  /** Idle time since the clock began, in milliseconds. Each call updates it, at most twice a second. */
  read(): number {
    const now = performance.now();
    const passedMs = now - this.#lookedAt;
    if (passedMs < LOOK_MS) return this.#idleMs;
    const times = readTimes();
    const workedMs = [...times].reduce((sum, [pid, time]) => sum + Math.max(0, time - (this.#times.get(pid) ?? 0)), 0);
    // The kernel counts a wait for a processor when it ends, so time that looked idle before may prove to be such a
    // wait.
    this.#idleMs = Math.max(0, this.#idleMs + passedMs - workedMs);
    this.#lookedAt = now;
    this.#times = times;
    return this.#idleMs;
  }
}

/** Process → time that its threads ran or waited for a processor, in milliseconds: this process and its descendants. */
function readTimes(): Map<number, number> {
  const children = Map.groupBy(listProcesses(), ({ parent }) => parent);
  const times = new Map([[process.pid, timeOfThreads(process.pid, { withOwnRuns: false })]]);
  const found = [process.pid];
  for (const parent of found)
    for (const { pid } of children.get(parent) ?? []) {
      found.push(pid);
      times.set(pid, timeOfThreads(pid, { withOwnRuns: true }));
    }
  return times;
}

function listProcesses(): { pid: number; parent: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    // The name of the program stands in parentheses, and may hold some itself.
    const stat = readIfThere(`/proc/${name}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ', 1)[0]);
    return [{ pid: Number(name), parent }];
  });
}

/** Time for which the threads of a process have run or waited for a processor, in milliseconds. */
export const timeOfProcess = (pid: number): number => timeOfThreads(pid, { withOwnRuns: true });

/**
 * @param withOwnRuns whether the time that the first thread ran counts; in this process it is only the waiting itself
 */
function timeOfThreads(pid: number, { withOwnRuns }: { withOwnRuns: boolean }): number {
  let ns = 0;
  for (const thread of threadsOf(pid)) {
    const [ran = 0, waited = 0] = readIfThere(`/proc/${pid}/task/${thread}/schedstat`).split(' ').map(Number);
    ns += waited + (withOwnRuns || thread !== String(pid) ? ran : 0);
  }
  return ns / 1e6;
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
