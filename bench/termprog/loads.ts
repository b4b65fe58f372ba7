import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes that are written to a terminal, the same on every machine and in every run. */
export interface Load {
  name: string;
  megabytes: number;
  /** Size in a quick run. */
  quickMegabytes: number;
  /** Highest ratio of termprog's time to each peer's. */
  goals: { xterm: number; urxvt: number };
  /** One piece; pieces follow each other until there is enough. */
  piece(random: (below: number) => number): string;
}

const words = 'the quick brown fox jumps over a lazy dog while seven wizards boil toxic liquid in 1234 jars'.split(' ');

const sentence = (random: (below: number) => number, length: number): string =>
  Array.from({ length }, () => words[random(words.length)]).join(' ');

const full = (text: string, columns: number): string => text.padEnd(columns, ' .:').slice(0, columns);

const rows = (line: (row: number) => string): string => Array.from({ length: 24 }, (_, row) => line(row + 1)).join('');

export const loads: readonly Load[] = [
  {
    name: 'cat, plain text',
    megabytes: 100,
    quickMegabytes: 20,
    goals: { xterm: 0.18, urxvt: 1 },
    piece: (random) => `${sentence(random, 3 + random(11))}\n`,
  },
  {
    name: 'dense SGR cells',
    megabytes: 16,
    quickMegabytes: 4,
    goals: { xterm: 0.8, urxvt: 1.5 },
    piece: (random) =>
      `\x1b[H${rows((row) => `\x1b[${row}H${Array.from({ length: 80 }, () => `\x1b[38;5;${random(256)};48;5;${random(256)}m${String.fromCharCode(33 + random(94))}`).join('')}`)}`,
  },
  {
    name: 'scroll region',
    megabytes: 4,
    quickMegabytes: 1,
    goals: { xterm: 0.4, urxvt: 1.5 },
    piece: (random) =>
      `\x1b[4;20r\x1b[20H${Array.from({ length: 200 }, () => `\n\r${sentence(random, 4)}`).join('')}\x1b[r`,
  },
  {
    name: 'CJK',
    megabytes: 16,
    quickMegabytes: 4,
    goals: { xterm: 0.5, urxvt: 1 },
    piece: (random) =>
      `${Array.from({ length: 5 + random(35) }, () => String.fromCodePoint(0x4e00 + random(5000))).join('')}\n`,
  },
  {
    name: 'alternate screen',
    megabytes: 16,
    quickMegabytes: 4,
    goals: { xterm: 0.5, urxvt: 1.5 },
    piece: (random) =>
      `\x1b[?1049h${Array.from({ length: 50 }, () => rows((row) => `\x1b[${row}H${full(sentence(random, 18), 80)}`)).join('')}\x1b[?1049l`,
  },
  {
    name: 'cursor motion',
    megabytes: 16,
    quickMegabytes: 4,
    goals: { xterm: Number.NaN, urxvt: 1.5 },
    piece: (random) => `\x1b[${1 + random(24)};${1 + random(70)}H${words[random(words.length)]}`,
  },
  {
    name: 'ls colours',
    megabytes: 32,
    quickMegabytes: 8,
    goals: { xterm: Number.NaN, urxvt: 1.5 },
    piece: (random) =>
      `${Array.from({ length: 4 }, () => `\x1b[0m\x1b[01;3${1 + random(6)}m${words[random(words.length)]}-${random(1000)}\x1b[0m`.padEnd(34)).join('')}\n`,
  },
];

/** Loads that are drawn with an outline font. */
export const outlineLoads: readonly Load[] = loads
  .filter(({ name }) => name === 'cat, plain text')
  .map((load) => ({ ...load, name: `${load.name}, outline font`, goals: { xterm: 0.09, urxvt: Number.NaN } }));

/** Pieces are collected up to this much before they are written. */
const BATCH_CHARACTERS = 1 << 20;

/** Writes a load to a file in a folder, and returns its path. */
export function writeLoad({ name, piece }: Load, megabytes: number, folder: string): string {
  const path = join(folder, name.replaceAll(/\W+/g, '-'));
  const file = openSync(path, 'w');
  const random = seeded();
  let left = megabytes * 1e6;
  while (left > 0) {
    let batch = '';
    while (batch.length < Math.min(BATCH_CHARACTERS, left)) batch += piece(random);
    left -= writeSync(file, batch);
  }
  closeSync(file);
  return path;
}

/** Numbers that look random and are the same in every run: a linear congruential generator. */
function seeded(): (below: number) => number {
  let state = 20_260_101;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
