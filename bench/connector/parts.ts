import { benchIngest } from './ingest.ts';
import { benchMemory } from './memory.ts';
import type { BenchResult } from './result.ts';
import { benchServing } from './serving.ts';

interface BenchPart {
  name: string;
  /** @param scale 1 for the size of the goals */
  run(folder: string, scale: number): Promise<BenchResult[]>;
}

export const benchParts: readonly BenchPart[] = [
  { name: 'serving', run: benchServing },
  { name: 'ingest', run: benchIngest },
  { name: 'memory', run: benchMemory },
];
