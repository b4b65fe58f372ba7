import { quantile } from '../quantile.ts';
import { Subject, type SubjectSpec } from './subject.ts';

export interface StartFigures {
  /** Time from the start to the first answer with status 200, from /healthz. */
  startMs: number;
  /** Time from another start to the first answer with metrics, for which everything is collected. */
  metricsMs: number;
  /** Resident memory at that second answer. */
  residentMiB: number;
}

/** Measures several starts and returns medians; the subjects take turns. */
export async function measureStarts(specs: readonly SubjectSpec[], rounds: number): Promise<Map<string, StartFigures>> {
  const starts = new Map(specs.map(({ name }): [string, StartFigures[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const spec of specs) {
      const healthy = await Subject.start(spec, '/healthz');
      await healthy.stop();
      const subject = await Subject.start(spec);
      const residentMiB = subject.residentMiB();
      await subject.stop();
      starts.get(spec.name)?.push({ startMs: healthy.startMs, metricsMs: subject.startMs, residentMiB });
    }
  }
  const median = (all: readonly StartFigures[], key: keyof StartFigures): number =>
    quantile(
      all.map((start) => start[key]),
      0.5,
    );
  return new Map(
    [...starts].map(([name, all]) => [
      name,
      {
        startMs: median(all, 'startMs'),
        metricsMs: median(all, 'metricsMs'),
        residentMiB: median(all, 'residentMiB'),
      },
    ]),
  );
}
