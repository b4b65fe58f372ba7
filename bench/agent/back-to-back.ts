import { quantile } from '../quantile.ts';
import { Subject, type SubjectSpec } from './subject.ts';

/** Numbers of scrapes and rounds; rounds are short, so that other load on the machine affects all subjects alike. */
export interface BackToBackCounts {
  warmUp: number;
  rounds: number;
  perRound: number;
}

export const BACK_TO_BACK: BackToBackCounts = { warmUp: 300, rounds: 25, perRound: 40 };
export const BACK_TO_BACK_QUICK: BackToBackCounts = { warmUp: 30, rounds: 3, perRound: 10 };

export interface BackToBackFigures {
  cpuMsPerScrape: number;
  p50Ms: number;
  p99Ms: number;
}

/** Measures scrapes without pauses, unlike those of Prometheus; the subjects take turns. */
export async function measureBackToBack(
  specs: readonly SubjectSpec[],
  { warmUp, rounds, perRound }: BackToBackCounts,
): Promise<Map<string, BackToBackFigures>> {
  const subjects = await Promise.all(
    specs.map(async (spec) => ({
      name: spec.name,
      subject: await Subject.start(spec),
      cpuMs: [] as number[],
      latenciesMs: [] as number[],
    })),
  );
  try {
    for (const { subject } of subjects) for (let index = 0; index < warmUp; index += 1) await subject.scrape();
    for (let round = 0; round < rounds; round += 1) {
      for (const { subject, cpuMs, latenciesMs } of subjects) {
        const before = subject.cpuMs();
        for (let index = 0; index < perRound; index += 1) latenciesMs.push(await subject.scrape());
        cpuMs.push((subject.cpuMs() - before) / perRound);
      }
    }
    return new Map(
      subjects.map(({ name, cpuMs, latenciesMs }) => [
        name,
        { cpuMsPerScrape: quantile(cpuMs, 0.5), p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99) },
      ]),
    );
  } finally {
    await Promise.all(subjects.map(({ subject }) => subject.stop()));
  }
}
