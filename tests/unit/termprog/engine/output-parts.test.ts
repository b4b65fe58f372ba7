import { expect, test } from 'vitest';
import type { TerminalEngine } from '../../../../src/termprog/engine/terminal-engine.ts';
import { snapshotOf, startEngine } from '../../../harness/terminal-engine.ts';

/** Functions that each change the whole screen, or cells without any bound of their own. */
const COSTLY: Readonly<Record<string, string>> = {
  'erasing the screen': '\x1b[2J',
  'erasing the screen by a C1 character': '\u009bJ',
  'scrolling by lines': '\x1b[9S',
  'moving up at the first line by a C1 character': '\u008d',
  'the other screen': '\x1b[?47h\x1b[?47l',
  'filling an area': '\x1b[88;1;1;20;80$x',
  'a reset': '\x1bc',
  'the alignment pattern': '\x1b#8',
  'repeating a character': '\x1b[9999b',
};

for (const [what, sequence] of Object.entries(COSTLY)) {
  test(`${what} thousands of times is parsed in small parts`, () => {
    const { engine } = startEngine({ columns: 80, rows: 20 });
    const one = Buffer.from(sequence);
    const bytes = Buffer.concat(Array.from({ length: 5_000 }, () => one));
    expect(largestPart(engine, bytes) / one.length).toBeLessThanOrEqual(128);
  });
}

/** Set-up and output whose work grows with the screen. */
const COSTLY_ON_LARGE_SCREENS: Readonly<Record<string, readonly [string, string]>> = {
  'line feeds between side margins': ['\x1b[?69h\x1b[2;300s\x1b[80;2H', '\n'],
  'line feeds between side margins after a byte that is no character': ['\x1b[?69h\x1b[2;300s\x1b[80;2H', '\x80\n\n\n'],
  'text that wraps between near margins': ['\x1b[?69h\x1b[1;2s\x1b[80;1H', 'ab'],
  'erasing the screen': ['', '\x1b[2J'],
  'scrolling all rows': ['', '\x1b[80S'],
  'scrolling all rows back': ['', '\x1b[80T'],
  'inserting all rows': ['', '\x1b[H\x1b[80L'],
  'deleting all rows': ['', '\x1b[H\x1b[80M'],
  'the alignment pattern': ['', '\x1b#8'],
  'a reset': ['', '\x1bc'],
  'the other screen': ['', '\x1b[?1049h\x1b[?1049l'],
  'erasing an area': ['', '\x1b[1;1;80;300$z'],
  'repeating characters that are inserted': ['\x1b[4h\x1b(0', 'a\x1b[65535b'],
};

for (const [what, [setup, output]] of Object.entries(COSTLY_ON_LARGE_SCREENS)) {
  test(`on a large screen a part of ${what} has few functions`, () => {
    const { engine } = startEngine({ columns: 300, rows: 80 });
    engine.write(Buffer.from(setup));
    const bytes = Buffer.from(output.repeat(500), 'latin1');
    expect(largestPart(engine, bytes)).toBeLessThanOrEqual(32);
  });
}

test('on a large screen a part of letters that are inserted into a row is small', () => {
  const { engine } = startEngine({ columns: 600, rows: 10 });
  engine.write(Buffer.from('\x1b[4h'));
  const bytes = Buffer.from('Ж\r'.repeat(500));
  expect(largestPart(engine, bytes)).toBeLessThanOrEqual(128);
});

for (const [what, text] of Object.entries({
  text: 'plain',
  colours: '\x1b[1;31;42mX',
  places: '\x1b[3;4Hx',
  words: 'é漢',
})) {
  test(`a part of ${what} is large enough to cost little`, () => {
    const { engine } = startEngine({ columns: 80, rows: 20 });
    const bytes = Buffer.from(text.repeat(5_000));
    expect(engine.writePart(bytes, 0, bytes.length)).toBeGreaterThanOrEqual(1_024);
  });
}

test('output that is parsed in parts has the effect of the whole', () => {
  const output = Buffer.from(
    Array.from(
      { length: 400 },
      (_, at) => `${Object.values(COSTLY)[at % 9]}\x1b[${at % 17};${at % 71}Hw漢é\x1b]0;t${at}\x07`,
    ).join(''),
  );
  const whole = startEngine({ columns: 80, rows: 20 });
  whole.engine.write(output);
  const parts = startEngine({ columns: 80, rows: 20 });
  for (let at = 0; at < output.length; ) at = parts.engine.writePart(output, at, output.length);
  expect(snapshotOf(parts.engine)).toEqual(snapshotOf(whole.engine));
});

/** Writes output in parts; returns the bytes of the largest one. */
function largestPart(engine: TerminalEngine, bytes: Uint8Array): number {
  let most = 0;
  for (let at = 0; at < bytes.length; ) {
    const end = engine.writePart(bytes, at, bytes.length);
    most = Math.max(most, end - at);
    at = end;
  }
  return most;
}
