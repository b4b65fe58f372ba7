import { setTimeout as delay } from 'node:timers/promises';
import { Subject, type SubjectSpec } from './subject.ts';

const INTERVAL_MS = 15_000;

/** Durations of the parts. */
export interface DailyTimes {
  warmUpMs: number;
  measureMs: number;
  silenceMs: number;
}

export const DAILY: DailyTimes = { warmUpMs: 60_000, measureMs: 300_000, silenceMs: 120_000 };

/** Short durations, which only show that the benchmark runs; its figures have no meaning. */
export const DAILY_QUICK: DailyTimes = { warmUpMs: 15_000, measureMs: 30_000, silenceMs: 15_000 };

/** Time after which keep-alive connections are closed, and work postponed after the last answer is done. */
const QUIET_AFTER_MS = 25_000;

export interface DailyFigures {
  /** CPU time with one scrape every 15 s. */
  cpuMsPerMinute: number;
  /** Without requests. */
  wakeUpsPerMinute: number;
  idleCpuMsPerMinute: number;
  residentMiB: number;
}

/**
 * Measures all subjects at once, each at its own moments within the interval, so that other load on the machine affects
 * all alike.
 */
export async function measureDaily(
  specs: readonly SubjectSpec[],
  { warmUpMs, measureMs, silenceMs }: DailyTimes,
): Promise<Map<string, DailyFigures>> {
  const subjects = await Promise.all(
    specs.map(async ({ name, ...spec }) => ({ name, subject: await Subject.start({ name, ...spec }) })),
  );
  const scrapeAll = (ms: number): Promise<unknown> =>
    Promise.all(subjects.map(({ subject }, index) => scrapeFor(subject, ms, (index * INTERVAL_MS) / subjects.length)));
  const change = async (read: (subject: Subject) => number, wait: () => Promise<unknown>): Promise<number[]> => {
    const before = subjects.map(({ subject }) => read(subject));
    await wait();
    return subjects.map(({ subject }, index) => read(subject) - (before[index] ?? 0));
  };
  try {
    await scrapeAll(warmUpMs);
    const cpu = await change(
      (subject) => subject.cpuMs(),
      () => scrapeAll(measureMs),
    );
    const resident = subjects.map(({ subject }) => subject.residentMiB());
    for (const { subject } of subjects) subject.disconnect();
    await delay(QUIET_AFTER_MS);
    let idleCpu: number[] = [];
    const wakeUps = await change(
      (subject) => subject.wakeUps(),
      async () => {
        idleCpu = await change(
          (subject) => subject.cpuMs(),
          () => delay(silenceMs),
        );
      },
    );
    const perMinute = (value: number | undefined, ms: number): number => ((value ?? Number.NaN) * 60_000) / ms;
    return new Map(
      subjects.map(({ name }, index) => [
        name,
        {
          cpuMsPerMinute: perMinute(cpu[index], measureMs),
          wakeUpsPerMinute: perMinute(wakeUps[index], silenceMs),
          idleCpuMsPerMinute: perMinute(idleCpu[index], silenceMs),
          residentMiB: resident[index] ?? Number.NaN,
        },
      ]),
    );
  } finally {
    await Promise.all(subjects.map(({ subject }) => subject.stop()));
  }
}

async function scrapeFor(subject: Subject, ms: number, offsetMs: number): Promise<void> {
  const start = performance.now();
  for (let dueMs = offsetMs; dueMs < ms; dueMs += INTERVAL_MS) {
    await delay(Math.max(0, start + dueMs - performance.now()));
    await subject.scrape();
  }
  await delay(Math.max(0, start + ms - performance.now()));
}
