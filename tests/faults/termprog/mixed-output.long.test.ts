import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { quantile } from '../../../bench/quantile.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';

/** Output of an hour at some 80 lines a second. */
const OUTPUT_BYTES = 40_000_000;
const BATCH_LINES = 2_000;

/** Runs take 110 to 131 MiB. With old objects that grow without a bound it was 150 to 218, with young ones too 270. */
const MEMORY_MAX_MIB = 160;
const RUNS = 3;

const words = 'the quick brown fox jumps over a lazy dog'.split(' ');
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

for (const [font, options] of [
  ['an outline font', ['-fa', 'DejaVu Sans Mono']],
  ['a bitmap font', ['-fn', 'fixed']],
] as const) {
  test(`an hour of output with emoji and new clusters takes bounded memory, with ${font}`, async () => {
    await using desktop = await startXDesktop();
    const file = desktop.newFile();
    writeFileSync(file, mixedOutput());
    const peaks: number[] = [];
    for (let run = 0; run < RUNS; run += 1) peaks.push(await peakMiB(desktop, file, options));

    console.log(`${peaks.map((peak) => peak.toFixed(0)).join(', ')} MiB at most`);
    expect(quantile(peaks, 0.5)).toBeLessThan(MEMORY_MAX_MIB);
  });
}

/** Shows a file in a new terminal. Returns the most memory that was resident, in MiB. */
async function peakMiB(desktop: XDesktop, file: string, args: readonly string[]): Promise<number> {
  const done = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    args: [...args],
    script: `cat ${file}; : > ${done}; sleep 600`,
  });
  await waitFor('all was written', () => existsSync(done), { process: terminal.process });
  const status = readFileSync(`/proc/${terminal.process.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

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
