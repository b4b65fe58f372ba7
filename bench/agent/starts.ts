import { quantile } from '../quantile.ts';
import { Subject, type SubjectSpec } from './subject.ts';

export interface StartFigures {
  /** From the start to the first answer with status 200. */
  startMs: number;
  /** Resident memory at that answer. */
  residentMiB: number;
}

/** Medians over several starts; the subjects take turns. */
export async function measureStarts(specs: readonly SubjectSpec[], rounds: number): Promise<Map<string, StartFigures>> {
  const starts = new Map(specs.map(({ name }): [string, StartFigures[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const spec of specs) {
      const subject = await Subject.start(spec);
      starts.get(spec.name)?.push({ startMs: subject.startMs, residentMiB: subject.residentMiB() });
      await subject.stop();
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
      { startMs: median(all, 'startMs'), residentMiB: median(all, 'residentMiB') },
    ]),
  );
}
