import { benchIngest } from './ingest.ts';
import { benchMemory } from './memory.ts';
import type { BenchResult } from './result.ts';
import type { BenchRun } from './run.ts';
import { benchServing } from './serving.ts';
import { benchUnread } from './unread.ts';

interface BenchPart {
  name: string;
  run(run: BenchRun): Promise<BenchResult[]>;
}

export const benchParts: readonly BenchPart[] = [
  { name: 'serving', run: benchServing },
  { name: 'unread', run: benchUnread },
  { name: 'ingest', run: benchIngest },
  { name: 'memory', run: benchMemory },
];
