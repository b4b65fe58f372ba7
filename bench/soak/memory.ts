import { residentKiB } from '../../tests/harness/resident-memory.ts';

const SAMPLE_MS = 2_000;
/** Caches fill for so long. */
const WARM_UP_MS = 60_000;
const MINUTE_MS = 60_000;

export interface Sample {
  at: number;
  kib: number;
}

/** How the memory of one run of a program grew. */
export interface Growth {
  name: string;
  pid: number;
  seconds: number;
  lastMiB: number;
  kibAMinute: number;
}

/** Looks at the memory of programs, of which some are started anew, until it is disposed of. */
export class MemoryWatch implements Disposable {
  readonly #samples = new Map<string, Sample[]>();
  readonly #timer: NodeJS.Timeout;

  constructor(programs: () => readonly { name: string; pid: number | undefined }[]) {
    this.#timer = setInterval(() => {
      for (const { name, pid } of programs()) if (pid !== undefined) this.#look(`${name} ${pid}`, pid);
    }, SAMPLE_MS);
  }

  growths(): Growth[] {
    return [...this.#samples].flatMap(([key, samples]) => {
      const [, name = '', pid = ''] = /^(.*) (\d+)$/.exec(key) ?? [];
      const began = samples[0]?.at ?? 0;
      const warm = samples.filter(({ at }) => at - began > WARM_UP_MS);
      const last = warm.at(-1);
      if (last === undefined) return [];
      const seconds = Math.round((last.at - began) / 1_000);
      return [{ name, pid: Number(pid), seconds, lastMiB: last.kib / 1_024, kibAMinute: slope(warm) * MINUTE_MS }];
    });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(key: string, pid: number): void {
    try {
      const kib = residentKiB(pid);
      if (!Number.isFinite(kib)) return;
      const samples = this.#samples.get(key) ?? [];
      samples.push({ at: Date.now(), kib });
      this.#samples.set(key, samples);
    } catch {
      // It has just ended.
    }
  }
}

/** KiB a millisecond, by least squares. */
export function slope(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, kib] = [mean(samples.map((sample) => sample.at)), mean(samples.map((sample) => sample.kib))];
  const above = samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.kib - kib), 0);
  const below = samples.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
  return below === 0 ? 0 : above / below;
}
