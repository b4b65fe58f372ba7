import { setTimeout as delay } from 'node:timers/promises';
import { processorMsOf } from '../../tests/harness/processor-time.ts';
import { residentKiB } from '../../tests/harness/resident-memory.ts';
import { collectedKiB } from './heap.ts';

const SAMPLE_MS = 2_000;
/** A collection of garbage stops the program for some 50 ms. */
const HEAP_SAMPLE_MS = 15_000;
/** Caches fill for so long. */
const WARM_UP_MS = 60_000;
const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
const MIB = 1_024;

export interface Sample {
  at: number;
  kib: number;
}

/** A program that is looked at; one without a process id is away. */
export interface Watched {
  name: string;
  pid: number | undefined;
  /** For a Node program with an open inspector. */
  inspectPort?: number;
}

/** How the memory of one run of a program grew, after its caches were filled. */
export interface Growth {
  name: string;
  pid: number;
  seconds: number;
  processorSeconds: number;
  resident: Slope;
  /** What is in use when all garbage is collected. */
  heap: Slope | undefined;
}

interface Slope {
  lastMiB: number;
  mibAnHour: number;
  /** The greatest of the first third of the time, and the least of the last third. */
  firstMiB: number;
  laterMiB: number;
}

interface Run {
  name: string;
  pid: number;
  processorMs: number;
  resident: Sample[];
  heap: Sample[];
}

/** Looks at the memory of programs, of which some are started anew, until it is disposed of. */
export class MemoryWatch implements AsyncDisposable {
  readonly #runs = new Map<string, Run>();
  readonly #ends = new AbortController();
  readonly #work: readonly Promise<void>[];

  constructor(programs: () => readonly Watched[]) {
    this.#work = [
      this.#repeat(SAMPLE_MS, async () => {
        for (const program of programs()) this.#look(program);
      }),
      this.#repeat(HEAP_SAMPLE_MS, async () => {
        await Promise.all(programs().map((program) => this.#lookAtHeap(program)));
      }),
    ];
  }

  growths(): Growth[] {
    return [...this.#runs.values()].flatMap((run) => {
      const resident = growthOf(run.resident);
      if (resident === undefined) return [];
      const [first, last] = [run.resident[0], run.resident.at(-1)];
      const seconds = Math.round(((last?.at ?? 0) - (first?.at ?? 0)) / SECOND_MS);
      const { name, pid, processorMs } = run;
      return [{ name, pid, seconds, processorSeconds: processorMs / SECOND_MS, resident, heap: growthOf(run.heap) }];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ends.abort();
    await Promise.all(this.#work);
  }

  async #repeat(everyMs: number, look: () => Promise<void>): Promise<void> {
    const { signal } = this.#ends;
    while (!signal.aborted) {
      await look();
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #look({ name, pid }: Watched): void {
    if (pid === undefined) return;
    try {
      const [kib, processorMs] = [residentKiB(pid), processorMsOf(pid)];
      if (!Number.isFinite(kib)) return;
      const run = this.#runOf(name, pid);
      run.processorMs = processorMs;
      run.resident.push({ at: Date.now(), kib });
    } catch {
      // It has just ended.
    }
  }

  async #lookAtHeap({ name, pid, inspectPort }: Watched): Promise<void> {
    if (pid === undefined || inspectPort === undefined) return;
    const kib = await collectedKiB(inspectPort);
    if (kib !== undefined) this.#runOf(name, pid).heap.push({ at: Date.now(), kib });
  }

  #runOf(name: string, pid: number): Run {
    const key = `${name} ${pid}`;
    const run = this.#runs.get(key) ?? { name, pid, processorMs: 0, resident: [], heap: [] };
    this.#runs.set(key, run);
    return run;
  }
}

/** Undefined where no sample is left behind the warm-up. */
export function growthOf(samples: readonly Sample[]): Slope | undefined {
  const began = samples[0]?.at ?? 0;
  const warm = samples.filter(({ at }) => at - began > WARM_UP_MS);
  const [first, last] = [warm[0], warm.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const third = (last.at - first.at) / 3;
  const within = (from: number, to: number): number[] =>
    warm.filter(({ at }) => at >= from && at <= to).map(({ kib }) => kib);
  return {
    lastMiB: last.kib / MIB,
    mibAnHour: (slope(warm) * HOUR_MS) / MIB,
    firstMiB: Math.max(...within(first.at, first.at + third)) / MIB,
    laterMiB: Math.min(...within(last.at - third, last.at)) / MIB,
  };
}

/** KiB a millisecond, by least squares. */
export function slope(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, kib] = [mean(samples.map((sample) => sample.at)), mean(samples.map((sample) => sample.kib))];
  const above = samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.kib - kib), 0);
  const below = samples.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
  return below === 0 ? 0 : above / below;
}
