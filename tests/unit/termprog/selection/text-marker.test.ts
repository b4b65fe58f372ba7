import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TerminalEngine } from '../../../../src/termprog/engine/terminal-engine.ts';
import { readCharacterClasses } from '../../../../src/termprog/selection/marking/character-classes.ts';
import { textOf } from '../../../../src/termprog/selection/marking/selected-text.ts';
import { TextMarker } from '../../../../src/termprog/selection/marking/text-marker.ts';
import { fuzzRuns } from '../../../harness/fuzz-runs.ts';
import { startEngine } from '../../../harness/terminal-engine.ts';

const MANY = 1 << 20;

const SCENE = `hello world  \r\nfoo-bar_baz http://x.y/z  end\r\n\r\n${'w'.repeat(100)}\r\n\tTab\x1b[3Cgap\r\n漢字 かな.`;

test.each([
  [[0, 0], [4, 0], 'hell'],
  [[4, 0], [0, 0], 'hell'],
  [[6, 0], [12, 0], 'world '],
  [[6, 0], [13, 0], 'world  '],
  [[6, 0], [14, 0], 'world  \n'],
  [[6, 0], [79, 0], 'world  \n'],
  [[20, 0], [30, 0], undefined],
  [[3, 0], [4, 1], 'lo world  \nfoo-'],
  [[3, 1], [5, 2], '-bar_baz http://x.y/z  end\n\n'],
  [[3, 1], [5, 3], '-bar_baz http://x.y/z  end\n\nwwwww'],
  [[70, 3], [5, 4], 'w'.repeat(15)],
  [[3, 5], [14, 5], '     Tab   '],
  [[0, 6], [3, 6], '漢'],
  [[0, 6], [2, 6], '漢'],
  [[1, 6], [3, 6], '漢'],
  [[0, 6], [30, 8], '漢字 かな.\n\n\n'],
  [[0, 6], [30, 6], '漢字 かな.\n'],
  [[30, 10], [0, 6], '漢字 かな.\n\n\n\n\n'],
  [[0, 6], [80, 23], `漢字 かな.${'\n'.repeat(18)}`],
] as [[number, number], [number, number], string | undefined][])(
  'dragging from %j to %j marks %j',
  (from, to, expected) => {
    expect(scene().drag(from, to)).toBe(expected);
  },
);

test.each([
  [2, [1, 0], 'hello'],
  [2, [12, 0], '  '],
  [2, [5, 0], ' '],
  [2, [8, 1], 'bar_baz'],
  [2, [14, 1], 'http'],
  [2, [16, 1], ':'],
  [2, [75, 3], 'w'.repeat(100)],
  [2, [2, 4], 'w'.repeat(100)],
  [2, [2, 5], '        '],
  [2, [12, 5], '   '],
  [2, [0, 6], '漢字'],
  [2, [5, 6], 'かな'],
  [2, [10, 2], undefined],
  [3, [5, 0], 'hello world  \n'],
  [3, [5, 2], '\n'],
  [3, [5, 4], `${'w'.repeat(100)}\n`],
  [3, [5, 10], '\n'],
  [4, [5, 0], undefined],
  [5, [1, 0], 'hello'],
  [6, [5, 0], 'hello world  \n'],
] as [number, [number, number], string | undefined][])('%i clicks at %j mark %j', (clicks, at, expected) => {
  expect(scene().click(clicks, at)).toBe(expected);
});

test('the nearer end moves, by the unit of the selection', () => {
  const seen = scene();
  seen.drag([3, 0], [6, 0]);
  expect(seen.extend(1, [9, 0])).toBe('lo wor');
  expect(seen.extend(1, [1, 0])).toBe('ello wor');
  expect(seen.extend(1, [4, 0])).toBe('o wor');
  expect(seen.extend(2, [8, 1])).toBe('hello world  \nfoo-bar_baz');
  expect(seen.extend(3, [8, 1])).toBe('hello world  \nfoo-bar_baz http://x.y/z  end\n');
  seen.click(2, [1, 0]);
  expect(seen.extend(1, [9, 0])).toBe('hello world');
  expect(seen.extend(1, [9, 0], [10, 1])).toBe('hello world  \nfoo-bar_baz');
  seen.click(2, [8, 0]);
  expect(seen.extend(1, [9, 0], [2, 0])).toBe('hello world');
  seen.click(2, [8, 0]);
  expect(seen.extend(1, [2, 0], [2, 1])).toBe('world  \nfoo');
});

test('a block has the same columns of each row, and wide characters whole', () => {
  const seen = scene();
  expect(seen.drag([2, 0], [6, 1], true)).toBe('llo \no-ba');
  expect(seen.drag([6, 1], [2, 0], true)).toBe('llo \no-ba');
  expect(seen.drag([10, 0], [20, 2], true)).toBe('d  \nz http://x\n');
  expect(seen.drag([1, 6], [3, 6], true)).toBe('漢字');
  expect(seen.drag([4, 0], [4, 3], true)).toBeUndefined();
  seen.drag([2, 0], [6, 1], true);
  expect(seen.extend(1, [8, 3])).toBe('llo wo\no-bar_\n\nwwwwww');
});

test('a class of characters makes words of what it joins', () => {
  const { engine, write } = startEngine();
  write('see http://x.y/z?a=1 now');
  expect(mark(engine, '33:48,37:48,45-47:48,58:48,61-0x40:060').click(2, [6, 0])).toBe('http://x.y/z?a=1');
  expect(mark(engine, '104').click(2, [4, 0])).toBe('h');
});

test('a fault in the classes is reported, and the others count', () => {
  const problems: string[] = [];
  const classes = readCharacterClasses('45:48,x,5-2:1,46:48:,47:48, 08:1', (problem) => problems.push(problem));
  expect(problems.map((problem) => problem.slice(0, 7))).toEqual(['"x" is ', '"5-2:1"', '"46:48:', '"08:1" ']);
  expect([45, 46, 47].map((code) => classes.of(code))).toEqual([48, 46, 48]);
});

test('marked text is no longer marked when one of its cells changes, and no earlier', () => {
  const { engine, write } = startEngine({ columns: 20, rows: 5 });
  write('first line\r\nsecond line\r\nthird line');
  const seen = mark(engine);
  seen.drag([2, 0], [6, 1]);
  const isWhole = (): boolean | undefined => seen.marker.marked?.isWhole;
  write('\x1b[1;1Hxx\x1b[2;7Hyy\x1b[3;1H\x1b[2K');
  expect(isWhole()).toBe(true);
  write('\x1b[2;6Hz');
  expect(isWhole()).toBe(false);
  seen.drag([2, 0], [6, 1]);
  write('\x1b[1;1H\x1b[L');
  expect(isWhole()).toBe(true);
  write('\x1b[3;1H\x1b[L');
  expect(isWhole()).toBe(false);
});

test('a mark scrolls into the history with its text, and is gone when that leaves it', () => {
  const { engine, write } = startEngine({ columns: 20, rows: 3, saveLines: 5 });
  write('one\r\ntwo\r\nthree');
  const seen = mark(engine);
  seen.drag([1, 0], [2, 1]);
  write('\r\n4\r\n5\r\n6\r\n7');
  expect(seen.text()).toBe('ne\ntw');
  expect(seen.marker.marked?.range).toMatchObject({ start: { row: -4, column: 1 }, end: { row: -3, column: 2 } });
  write('\r\n8');
  expect(seen.text()).toBe('ne\ntw');
  write('\r\n9');
  expect(seen.marker.marked?.range).toBeUndefined();
});

test('marked text is the same text after any number of resizes and lines', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '漢', 'é', '🎉'), minLength: 1, maxLength: 60 });
  const step = fc.oneof(
    fc.record({ columns: fc.integer({ min: 2, max: 40 }), rows: fc.integer({ min: 1, max: 12 }) }),
    fc.array(line, { maxLength: 4 }),
  );
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat({ max: 2_000 }), { minLength: 2, maxLength: 2 }),
      fc.array(step, { maxLength: 8 }),
      (lines, [from = 0, to = 0], steps) => {
        const { engine, write } = startEngine({ columns: 20, rows: 10, saveLines: 1_000 });
        write(`${lines.join('|\r\n')}|\r\n`);
        // The selection does not reach the cursor's row, where the next line will be.
        const written = engine.historyLines + engine.cursor.row;
        const place = (at: number): [number, number] => [
          at % 20,
          (Math.floor(at / 20) % written) - engine.historyLines,
        ];
        const seen = mark(engine);
        const before = seen.drag(place(from), place(to));
        for (const now of steps) {
          if (Array.isArray(now)) write(now.map((text) => `${text}|\r\n`).join(''));
          else engine.resize(now.columns, now.rows);
          expect(seen.text()).toBe(before);
        }
      },
    ),
    { numRuns: fuzzRuns(300) },
  );
});

test('motions within a cell mark no text anew, until text has moved there or the mark is gone', () => {
  const { engine, write } = startEngine({ columns: 20, rows: 3, saveLines: 100 });
  write('one\r\ntwo\r\nthree');
  let changes = 0;
  const classes = readCharacterClasses(undefined, (problem) => expect.unreachable(problem));
  const marker = new TextMarker({
    view: engine,
    classes: () => classes,
    changed: () => {
      changes += 1;
    },
  });
  const changesOf = (motions: number): number => {
    const before = changes;
    for (let motion = 0; motion < motions; motion += 1) marker.extendTo({ row: 1, column: 3 });
    return changes - before;
  };
  marker.start({ row: 0, column: 0 }, { clicks: 1, isBlock: false });
  expect(changesOf(10)).toBe(1);
  write('\r\nfour');
  expect(changesOf(10)).toBe(1);
  expect(marker.marked?.range).toMatchObject({ start: { row: -1, column: 0 }, end: { row: 1, column: 3 } });
  marker.clear();
  expect(changesOf(10)).toBe(1);
  marker.end();
  expect(changesOf(10)).toBe(0);
});

/** A marker over an engine. Columns and rows count from 0; rows are those of the screen. */
function mark(engine: TerminalEngine, charClass?: string) {
  const classes = readCharacterClasses(charClass, (problem) => expect.unreachable(problem));
  const marker = new TextMarker({ view: engine, classes: () => classes, changed: () => {} });
  const text = (): string | undefined => {
    const range = marker.marked?.range;
    const bytes = range && textOf(engine, range, MANY);
    return bytes && Buffer.from(bytes).toString('utf8');
  };
  const cell = (column: number, row: number) => ({ row, column });
  return {
    marker,
    text,
    drag: (from: [number, number], to: [number, number], isBlock = false) => {
      marker.start(cell(...from), { clicks: 1, isBlock });
      marker.extendTo(cell(...to));
      marker.end();
      return text();
    },
    click: (clicks: number, at: [number, number]) => {
      for (let click = 1; click <= clicks; click += 1) {
        marker.start(cell(...at), { clicks: click, isBlock: false });
        marker.end();
      }
      return text();
    },
    extend: (clicks: number, at: [number, number], ...further: [number, number][]) => {
      for (let click = 1; click <= clicks; click += 1) {
        marker.startExtend(cell(...at), click);
        for (const to of further) marker.extendTo(cell(...to));
        marker.end();
      }
      return text();
    },
  };
}

/** The screen on which the reference terminal was asked the same; decision 121. */
function scene() {
  const { engine, write } = startEngine({ columns: 80, rows: 24 });
  write(SCENE);
  return mark(engine);
}
