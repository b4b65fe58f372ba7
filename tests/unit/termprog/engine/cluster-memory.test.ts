import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { startEngine } from '../../../harness/terminal-engine.ts';

const COLUMNS = 80;
const LINES = 250;
const MARKS = 31;

/** The characters of the longest cluster, twice two bytes each as text and key, and what the tables take. */
const CLUSTER_MAX_BYTES = 700;

test('a long cluster takes no more memory than its characters need', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { write, engine } = startEngine({ columns: COLUMNS, saveLines: LINES });
  const clusters = COLUMNS * LINES;
  const marks = (cluster: number): string =>
    Array.from({ length: MARKS }, (_, mark) =>
      String.fromCodePoint(0x300 + ((cluster * 31 + mark * (1 + (cluster % 97))) % 0x70)),
    ).join('');
  write('e\u0301');
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let cluster = 0; cluster < clusters; cluster += 1)
    write(`${String.fromCodePoint(0x4e + (cluster % 40))}${marks(cluster)}`);
  collect();
  const perCluster = (process.memoryUsage().heapUsed - before) / clusters;
  console.log(`${perCluster.toFixed(0)} bytes of heap for a cluster of ${MARKS + 1} code points`);
  expect(engine.historyLines + engine.cursor.row).toBe(LINES);
  expect(perCluster).toBeLessThan(CLUSTER_MAX_BYTES);
});
