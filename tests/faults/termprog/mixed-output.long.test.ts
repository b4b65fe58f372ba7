import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startTermprog, startXDesktop } from '../../harness/start-termprog.ts';

/** Output of an hour at some 80 lines a second. */
const OUTPUT_BYTES = 40_000_000;
const BATCH_LINES = 2_000;

/** It takes 125 to 195, by when V8 collects, most on a busy machine; before young objects were bounded, it took 270. */
const MEMORY_MAX_MIB = 230;

const words = 'the quick brown fox jumps over a lazy dog'.split(' ');
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** Lines of a working day, most of them with clusters or links that never came before. */
function mixedOutput(): Buffer {
  let state = 31;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const word = (): string => words[random(words.length)] ?? '';
  const emoji = (): string => String.fromCodePoint(0x1f300 + random(500));
  const letter = (): string =>
    String.fromCodePoint(0x61 + random(26), ...times(1 + random(4), () => 0x300 + random(0x6f)));
  const kinds = [
    () => times(12, word).join(' '),
    () => times(12, () => `\x1b[38;5;${random(256)}m${word()}`).join(''),
    () => times(20, emoji).join(' '),
    () => times(25, () => (random(2) === 0 ? letter() : times(2 + random(2), emoji).join('\u200d'))).join(' '),
    () =>
      `\x1b]0;title ${random(1e9)}\x07\x1b]8;;http://x/${random(1e9)}\x07link\x1b]8;;\x07${times(20, () => String.fromCodePoint(0x4e00 + random(5_000))).join('')}`,
    () => `\x1b[?1049h\x1b[2J\x1b[${1 + random(20)};5H${word()}\x1b[?1049l`,
  ];
  const batches: Buffer[] = [];
  for (let bytes = 0; bytes < OUTPUT_BYTES; bytes += batches.at(-1)?.length ?? 0) {
    batches.push(Buffer.from(times(BATCH_LINES, () => `\x1b[m${kinds[random(kinds.length)]?.()}\n`).join('')));
  }
  return Buffer.concat(batches);
}

for (const [font, options] of [
  ['an outline font', ['-fa', 'DejaVu Sans Mono']],
  ['a bitmap font', ['-fn', 'fixed']],
] as const) {
  test(`an hour of output with emoji and new clusters takes bounded memory, with ${font}`, async () => {
    await using desktop = await startXDesktop();
    const file = desktop.newFile();
    writeFileSync(file, mixedOutput());
    await using terminal = await startTermprog(desktop, {
      args: [...options],
      script: `cat ${file}; : > ${file}.done; sleep 600`,
    });
    await waitFor('all was written', () => existsSync(`${file}.done`), { process: terminal.process });

    const status = readFileSync(`/proc/${terminal.process.pid}/status`, 'utf8');
    const peakMiB = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
    console.log(`${peakMiB.toFixed(0)} MiB at most`);
    expect(peakMiB).toBeLessThan(MEMORY_MAX_MIB);
  });
}
