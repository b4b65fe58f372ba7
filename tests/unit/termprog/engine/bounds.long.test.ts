import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { processorMs } from '../../../harness/processor-time.ts';
import { snapshotOf, startEngine } from '../../../harness/terminal-engine.ts';

/** Longest time for one short sequence, in milliseconds: far below what a person notices, far above what it takes. */
const LONGEST_MS = 200;

const ways: readonly [string, (sequence: string) => string][] = [
  ['plainly', (sequence) => `\x1b[${sequence}`],
  ['with DEL in it', (sequence) => `\x1b[\x7f${sequence}`],
  ['with DEL in its number', (sequence) => `\x1b[${sequence.slice(0, 4)}\x7f${sequence.slice(4)}`],
  ['with DEL behind ESC', (sequence) => `\x1b\x7f[${sequence}`],
  ['by C1', (sequence) => `\x9b${sequence}`],
  ['by C1 behind ESC', (sequence) => `\x1b\x9b${sequence}`],
  ['by C1 behind CSI', (sequence) => `\x1b[\x9b${sequence}`],
  ...[...'P]X^_'].map((introducer): [string, (sequence: string) => string] => [
    `out of an open string ESC ${introducer}`,
    (sequence) => `\x1b${introducer}x\x1b[${sequence}`,
  ]),
];

for (const final of [...'bSTLM@PXABCDEFIZGd`aer', "'}", "'~", ' @', ' A']) {
  for (const [way, write] of ways) {
    test(`a thousand million of CSI ${final}, sent ${way}, are done at once`, () => {
      const started = startEngine();
      started.write('x\x1b[12;40Hy');
      expect(processorMs(() => started.write(write(`1000000000${final}`)))).toBeLessThan(LONGEST_MS);
      expect(started.engine.cursor.column).toBeLessThan(80);
      expect(started.engine.cursor.row).toBeLessThan(24);
    });
  }
}

test('links and clusters that no cell has any more are forgotten, and those on the screen are not', () => {
  const { write, cell, engine } = startEngine({ columns: 20, rows: 4, saveLines: 10 });
  write('\x1b]8;;http://stays/\x1b\\S\x1b]8;;\x1b\\a\u0301\x1b[2;4r\x1b[2;1H');
  let wasRenumbered = false;
  for (let number = 0; number < 30_000; number += 1) {
    const mark = String.fromCodePoint(
      0x300 + (number % 100),
      0x300 + (Math.floor(number / 100) % 100),
      0x300 + (number % 7),
    );
    write(`\x1b]8;;http://example.org/${number}\x1b\\b${mark}\x1b]8;;\x1b\\\r\n`);
    wasRenumbered ||= engine.takeDamage().isRenumbered;
  }
  expect(wasRenumbered).toBe(true);
  expect(cell(0, 0)).toMatchObject({ text: 'S', extra: { link: { uri: 'http://stays/', id: '' } } });
  expect(cell(0, 1).text).toBe('a\u0301');
  expect(cell(2, 0).extra.link?.uri).toBe('http://example.org/29999');
});

test('a control string that never ends is held in bounded room', () => {
  const { write, engine, text } = startEngine();
  write('\x1b]8;;');
  const before = process.memoryUsage().rss;
  const part = Buffer.alloc(1 << 20, 0x78);
  for (let count = 0; count < 64; count += 1) engine.write(part);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20);
  write('\x07ok');
  expect(text(0)).toBe('ok');
});

test('parameters of a link beside its address are not kept', () => {
  const { write, cell } = startEngine();
  write(`\x1b]8;id=7:${'x'.repeat(1 << 20)};http://example.org/\x07L`);
  expect(cell(0, 0)).toMatchObject({ text: 'L', extra: { link: undefined } });
});

test('text beyond the characters of all links has none, and has one again when they have gone', () => {
  const { write, cell, engine } = startEngine({ columns: 100, rows: 100, saveLines: 0 });
  const open = (number: number): string => `\x1b]8;id=${number};http://example.org/${'x'.repeat(2_000)}\x07`;
  for (let number = 0; number < 9_000; number += 1) write(`${open(number)}a`);
  expect(cell(0, 0).extra.link?.id).toBe('0');
  expect(cell(engine.cursor.row, engine.cursor.column - 1).extra.link).toBeUndefined();
  write('\x1b[H\x1b[2J');
  for (let number = 0; number < 9_000; number += 1) write(`\x1b[H${open(number)}b`);
  expect(cell(0, 0).extra.link?.id).toBe('8999');
});

for (const [what, mode] of [
  ['inserted', '\x1b[4h'],
  ['written', ''],
] as const) {
  test(`a wide character that is ${what} as often as can be asked for, 300 times over, is done at once`, () => {
    const { write } = startEngine({ columns: 200, rows: 60 });
    write(mode);
    expect(processorMs(() => write('中\x1b[65535b'.repeat(300)))).toBeLessThan(10 * LONGEST_MS);
  });
}

test('a screen of thousands of rows scrolls in one pass', () => {
  const { write, text } = startEngine({ columns: 20, rows: 4_000, saveLines: 0 });
  write('\x1b[4000;1Hlast\x1b[1;1Hfirst');
  expect(processorMs(() => write('\x1b[1999T\x1b[1999M'.repeat(100)))).toBeLessThan(10 * LONGEST_MS);
  write('\x1b[H\x1b[Jtop\x1b[2T');
  expect([text(0), text(2)]).toEqual(['', 'top']);
});

test('a sweep looks only at lines that have links or clusters', () => {
  const { write } = startEngine({ saveLines: 200_000 });
  write('plain\r\n'.repeat(200_000));
  write('\x1b[?1049h');
  let longestMs = 0;
  for (let number = 0; number < 20_000; number += 1) {
    const tookMs = processorMs(() => write(`\x1b[H\x1b]8;;http://example.org/${number}\x07a\x1b]8;;\x07`));
    longestMs = Math.max(longestMs, tookMs);
  }
  expect(longestMs).toBeLessThan(LONGEST_MS);
});

for (const final of [...'tu', '$v', '$z', '$x', '$r', '$t', '${', '*y']) {
  test(`a thousand million of CSI ${final} are done at once`, () => {
    const started = startEngine();
    const most = '1000000000';
    for (const sent of [most, `1;1;${most};${most}`, `88;1;1;${most};${most}`, `1;1;1;1;${most};${most}`]) {
      expect(processorMs(() => started.write(`\x1b[${sent}${final}`))).toBeLessThan(LONGEST_MS);
    }
    expect(started.engine.cursor.row).toBeLessThan(24);
  });
}

/** Runs of which the cheapest counts: garbage is collected in some. */
const TRIES = 20;

for (const final of 'bSTLM') {
  test(`a thousand million of CSI ${final} cost less than 5 ms on a full screen with margins`, () => {
    const started = startEngine({ saveLines: 1_024 });
    started.write(`${'x'.repeat(80 * 24)}\x1b[?69h\x1b[2;79s\x1b[12;40Hy`);
    const costs = Array.from({ length: TRIES }, () => processorMs(() => started.write(`y\x1b[1000000000${final}`)));
    console.log(`CSI 1000000000 ${final}: ${Math.min(...costs).toFixed(2)} ms`);
    expect(Math.min(...costs)).toBeLessThan(5);
  });
}

test('areas of the whole screen, 200 times over, are done at once', () => {
  const { write } = startEngine({ columns: 200, rows: 60 });
  for (const sequence of [
    '\x1b[88$x',
    '\x1b[$z',
    '\x1b[;;;;;2;2$v',
    '\x1b[;;;;1;4;5;7$r',
    '\x1b[;;;;1;4;5;7$t',
    '\x1b[1;1*y',
  ]) {
    expect(processorMs(() => write(sequence.repeat(200)))).toBeLessThan(5 * LONGEST_MS);
  }
});

test('a flood of colours, titles and marks is done at once', () => {
  const { write } = startEngine();
  for (const sequence of [
    '\x1b]4;1;#fff;2;?\x07',
    '\x1b]10;?;?;?\x07',
    '\x1b[22t',
    '\x1b]133;A\x07',
    '\x1b[>1u',
    '\x1b[?7s',
  ]) {
    expect(processorMs(() => write(sequence.repeat(20_000)))).toBeLessThan(5 * LONGEST_MS);
  }
});

test('bytes that were sent beside the address of a link are not kept in memory', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const heapBytes = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const { write, cell } = startEngine({ columns: 100, rows: 100, saveLines: 0 });
  const before = heapBytes();
  for (let number = 0; number < 4_000; number += 1) {
    write(`\x1b]8;x=${'y'.repeat(4_300)};http://example.org/${number}\x07L`);
  }
  expect(cell(0, 99).extra.link?.uri).toBe('http://example.org/99');
  expect(heapBytes() - before).toBeLessThan(8 << 20);
});

for (const sequence of ['\x1b[${', '\x1b[?2J', '\x1bV\x1b[2J']) {
  test(`a window is erased except for what is protected by ${JSON.stringify(sequence)} 1,200 times, and it is done at once`, () => {
    const { write } = startEngine({ columns: 200, rows: 60 });
    // The first run compiles the code.
    write(sequence.repeat(300));
    expect(processorMs(() => write(sequence.repeat(1_200)))).toBeLessThan(10 * LONGEST_MS);
  });
}

test('a long history with links in it is not read again for every few clusters', () => {
  const { write } = startEngine({ saveLines: 100_000 });
  write('\x1b]8;;http://example.org/\x07');
  write('x\r\n'.repeat(100_000));
  write('\x1b]8;;\x07');
  // Each letter has 31 marks, one after the other: 31 clusters, of which only the last is in use.
  const marked = (letter: number): string =>
    String.fromCodePoint(
      0x61 + (letter % 26),
      ...Array.from({ length: 31 }, (_, at) => 0x300 + ((letter * 13 + at * letter) % 112)),
    );
  const text = Array.from({ length: 4_000 }, (_, letter) => `\r${marked(letter)}`).join('');
  expect(processorMs(() => write(text))).toBeLessThan(15 * LONGEST_MS);
});

for (const character of ['x', '中']) {
  test(`${character} is repeated between near side margins as often as can be asked for, 100 times over, at once`, () => {
    const { write } = startEngine({ columns: 200, rows: 60 });
    write('\x1b[?69h\x1b[11;13s');
    expect(processorMs(() => write(`${character}\x1b[65535b`.repeat(100)))).toBeLessThan(3 * LONGEST_MS);
  });

  for (const [place, start] of [
    ['between', '\x1b[3;12H'],
    ['left of', '\x1b[3;2H'],
    ['right of', '\x1b[3;18H'],
    ['below', '\x1b[10;12H'],
  ] as const) {
    test(`${character} repeated ${place} the margins fills what it would fill when it is sent as often`, () => {
      const prepare = (): ReturnType<typeof startEngine> => {
        const started = startEngine({ columns: 20, rows: 10 });
        started.write(`\x1b[?69h\x1b[5;13s\x1b[2;8r${start}`);
        return started;
      };
      for (const count of [5, 90, 150, 199]) {
        const [repeated, sent] = [prepare(), prepare()];
        repeated.write(`${character}\x1b[${count}b`);
        sent.write(character.repeat(count + 1));
        expect(snapshotOf(repeated.engine)).toEqual(snapshotOf(sent.engine));
      }
    });
  }
}
