import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ByteLoop } from '../../../../src/termprog/engine/byte-loop.ts';
import { ControlParser } from '../../../../src/termprog/engine/control-parser.ts';
import { controlFunctions } from '../../../../src/termprog/engine/functions/index.ts';
import { Screen } from '../../../../src/termprog/engine/screen.ts';
import { TerminalState } from '../../../../src/termprog/engine/terminal-state.ts';
import { IDENTITY, QUIET_HOST, startEngine } from '../../../harness/terminal-engine.ts';

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

/** Numbers that were given to clusters, after output that comes in the given pieces; a frame is drawn between two of them. */
function numbersAfter(pieces: readonly string[]): { numbers: number; texts: (string | undefined)[] } {
  const screen = new Screen({ columns: COLUMNS, rows: 5 }, 0);
  const state = new TerminalState(screen, QUIET_HOST, { ...IDENTITY, graphemeClusters: true });
  const loop = new ByteLoop(new ControlParser(controlFunctions, state, state.printer), controlFunctions, state);
  for (const piece of pieces) {
    const bytes = Buffer.from(piece);
    for (let at = 0; at < bytes.length; ) at = loop.run(bytes, at, bytes.length, bytes.length);
    state.clusters.settle();
  }
  const numbers = state.clusters.capacity - 1;
  return { numbers, texts: Array.from({ length: numbers }, (_, at) => state.clusters.get(at + 1)?.text) };
}

for (const cluster of [
  'e\u0301\u0302\u0303',
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
  '\u{1f468}\u{1f3fd}\u200d\u{1f680}',
  'क्षि',
]) {
  test(`the table keeps only the whole of ${cluster}, not its beginnings`, () => {
    expect(numbersAfter([cluster]).texts.filter((text) => text !== undefined)).toEqual([cluster]);
    expect(numbersAfter([`${cluster}x\r${cluster}`]).texts.filter((text) => text !== undefined)).toEqual([cluster]);
  });
}

test('a cluster that a frame has shown keeps its number, and so does one that stands in another cell, too', () => {
  expect(numbersAfter(['e\u0301', '\u0302']).texts).toEqual(['e\u0301', 'e\u0301\u0302']);
  expect(numbersAfter(['e\u0301xe\u0301\u0302']).texts).toEqual(['e\u0301', 'e\u0301\u0302']);
  // DECCRA copies the cell; the next mark joins only the one at the cursor.
  expect(numbersAfter(['e\u0301\x1b[1;1;1;1;1;2;2;1$v\u0302']).texts).toEqual(['e\u0301', 'e\u0301\u0302']);
});
