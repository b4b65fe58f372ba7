import { benchIngest } from './connector-ingest.ts';
import { benchMemory } from './connector-memory.ts';
import { benchServing } from './connector-serving.ts';

/** One figure of both. */
export interface BenchResult {
  what: string;
  unit: string;
  connector: number;
  peer: number;
  goal: string;
}

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
