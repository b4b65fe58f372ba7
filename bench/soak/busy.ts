import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Disturbance } from './observations.ts';

const SAMPLE_MS = 1_000;
/** A program that waits longer for a processor within one sample answers late, whatever it does. */
const LATE_MS = 400;
/** Times that are no further apart are one. */
const TOGETHER_MS = 10_000;
const NANOSECONDS_PER_MS = 1_000_000;

/** Milliseconds in which the first thread of a program could run, and had no processor; sched-stats.rst of Linux. */
function waitedMs(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1]) / NANOSECONDS_PER_MS;
  } catch {
    return undefined;
  }
}

/**
 * Notes the times in which other work of the machine kept programs from a processor: what fails then is no fault of theirs.
 * What they lose or double is one at all times.
 */
export class BusyWatch implements AsyncDisposable {
  readonly #ends = new AbortController();
  readonly #work: Promise<void>;
  readonly #times: Disturbance[] = [];

  constructor(pids: () => readonly (number | undefined)[], waited = waitedMs, everyMs = SAMPLE_MS) {
    this.#work = this.#watch(pids, waited, everyMs);
  }

  times(): Disturbance[] {
    return this.#times.map((time) => ({ ...time }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ends.abort();
    await this.#work;
  }

  async #watch(
    pids: () => readonly (number | undefined)[],
    waited: (pid: number) => number | undefined,
    everyMs: number,
  ): Promise<void> {
    const { signal } = this.#ends;
    let before = new Map<number, number>();
    let from = Date.now();
    while (!signal.aborted) {
      const now = new Map<number, number>();
      for (const pid of pids()) {
        const ms = pid === undefined ? undefined : waited(pid);
        if (pid !== undefined && ms !== undefined) now.set(pid, ms);
      }
      const to = Date.now();
      const longest = Math.max(0, ...[...now].map(([pid, ms]) => ms - (before.get(pid) ?? ms)));
      // A wait is counted when it ends.
      if (longest > LATE_MS) this.#note(Math.min(from, to - longest), to);
      before = now;
      from = to;
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #note(from: number, to: number): void {
    const last = this.#times.at(-1);
    if (last !== undefined && from - last.to <= TOGETHER_MS)
      Object.assign(last, { from: Math.min(last.from, from), to });
    else this.#times.push({ what: 'processors were too busy', touches: 'machine', from, to });
  }
}
