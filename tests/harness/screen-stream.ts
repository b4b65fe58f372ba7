/** Numbers below a bound that come again from the same seed. */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const CSI = '\x1b[';

const TEXTS = [
  'plain text',
  'J',
  '漢字',
  '─┼╱ ▒▒',
  'e\u0301x\u0308',
  '            ',
  'a line that is\r\nbroken',
  '@%#',
  '🚀 👩‍🚀 fj',
];
const LOOKS = ['0', '1', '7', '4', '31', '42', '1;34;47', '38;5;200', '48;2;10;90;160', '9;53', '3', '4:3;58:5:9'];

type Step = (random: Random, size: { columns: number; rows: number }) => string;

/** Steps that move, write and erase cells. Scrolls are there several times, because they are what moves pixels. */
const STEPS: readonly Step[] = [
  (random) => `${CSI}${LOOKS[random(LOOKS.length)]}m${TEXTS[random(TEXTS.length)]}`,
  (random) => `${CSI}0m${TEXTS[random(TEXTS.length)]}`,
  (random, { columns, rows }) => `${CSI}${1 + random(rows)};${1 + random(columns)}H`,
  (random) => `\r\n${TEXTS[random(TEXTS.length)]}`.repeat(1 + random(9)),
  (random) => `${CSI}${1 + random(4)}S`,
  (random) => `${CSI}${1 + random(4)}T`,
  (random) => `${CSI}${1 + random(4)}${'LMP@X'[random(5)]}`,
  () => '\x1bM',
  () => '\x1bD',
  (random, { rows }) => {
    const top = 1 + random(rows - 1);
    return `${CSI}${top};${top + 1 + random(rows - top)}r${CSI}${top};1H${'\x1bM'.repeat(random(3))}`;
  },
  () => `${CSI}r`,
  (random) => `${CSI}${random(2)}K`,
  (random, { rows }) => `${CSI}${rows};1H${'\r\nscrolled up'.repeat(1 + random(3))}`,
];

/** A screen full of lines, each of which differs. */
const fullScreen = (random: Random, { columns, rows }: { columns: number; rows: number }): string =>
  `${CSI}r${CSI}m${CSI}H${CSI}2J${CSI}?25l` +
  Array.from({ length: rows }, (_, row) => `${row} `.repeat(columns).slice(0, columns - 1 - random(columns / 2))).join(
    '\r\n',
  );

/** Output in pieces, the first of which is a screen full of text; without a cursor. */
export function screenStream(random: Random, pieces: number, size = { columns: 80, rows: 24 }): string[] {
  const piece = (): string =>
    Array.from({ length: 1 + random(4) }, () => STEPS[random(STEPS.length)]?.(random, size) ?? '').join('');
  return [fullScreen(random, size), ...Array.from({ length: pieces }, piece)];
}
