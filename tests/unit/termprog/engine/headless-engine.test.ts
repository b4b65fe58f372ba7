import { expect, test } from 'vitest';
import { ATTRIBUTE, CLUSTER, COLOR_INDEXED, COLOR_RGB, createRow } from '../../../../src/termprog/engine/engine.ts';
import { HeadlessEngine } from '../../../../src/termprog/engine/headless-engine.ts';

function start({ columns = 80, rows = 24, saveLines = 100 } = {}) {
  const told = { replies: '', titles: [] as string[], iconNames: [] as string[], bells: 0, enquiries: 0 };
  const engine = new HeadlessEngine(
    { columns, rows, saveLines, cursorShape: 'block' },
    {
      onReply: (text) => {
        told.replies += text;
      },
      onTitle: (title) => told.titles.push(title),
      onIconName: (name) => told.iconNames.push(name),
      onBell: () => {
        told.bells += 1;
      },
      onEnquiry: () => {
        told.enquiries += 1;
      },
    },
  );
  const write = (text: string): void => engine.write(Buffer.from(text, 'utf8'));
  const read = (line: number) => {
    const row = createRow(engine.columns);
    engine.readRow(line, row);
    return row;
  };
  const text = (line: number): string =>
    [...read(line).codes]
      .map((code) => (code === CLUSTER ? '*' : String.fromCodePoint(code || 0x20)))
      .join('')
      .trimEnd();
  return { engine, told, write, read, text };
}

test('output is on the screen when write returns', () => {
  const { write, text, engine } = start();
  write('one\r\ntwo');
  expect([text(0), text(1)]).toEqual(['one', 'two']);
  expect(engine.cursor).toMatchObject({ column: 3, row: 1, isVisible: true, shape: 'block' });
});

test('a cell tells its colours and attributes', () => {
  const { write, read } = start();
  write('\x1b[1;3;4;7;9;31;48;5;200mX\x1b[m\x1b[2;5;8;53;38;2;1;2;3mY');
  const { foregrounds, backgrounds, attributes } = read(0);
  expect([foregrounds[0], backgrounds[0]]).toEqual([COLOR_INDEXED | 1, COLOR_INDEXED | 200]);
  const { bold, italic, underline, inverse, strikethrough, dim, blink, invisible, overline } = ATTRIBUTE;
  expect(attributes[0]).toBe(bold | italic | underline | inverse | strikethrough);
  expect(foregrounds[1]).toBe(COLOR_RGB | 0x010203);
  expect(attributes[1]).toBe(dim | blink | invisible | overline);
});

test('wide characters take two cells and joined code points one', () => {
  const { write, read } = start();
  write('漢e\u0301');
  const { codes, attributes, clusters } = read(0);
  expect([attributes[0], attributes[1]]).toEqual([ATTRIBUTE.wide, ATTRIBUTE.continuation]);
  expect(codes[2]).toBe(CLUSTER);
  expect(clusters.get(2)).toBe('e\u0301');
});

test('lines that left the screen are history, up to the bound', () => {
  const { write, text, engine } = start({ rows: 3, saveLines: 5 });
  write(Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\r\n'));
  expect(engine.historyLines).toBe(5);
  expect([text(-5), text(-1), text(2)]).toEqual(['line 12', 'line 16', 'line 19']);
});

test('the alternate screen has no history and gives the first one back', () => {
  const { write, text, engine } = start({ rows: 3 });
  write('1\r\n2\r\n3\r\n4\x1b[?1049h\x1b[Halternate');
  expect([text(0), engine.historyLines]).toEqual(['alternate', 0]);
  write('\x1b[?1049l');
  expect([text(2), engine.historyLines]).toEqual(['4', 1]);
});

test('reports are answered', () => {
  const { write, told } = start();
  write('\x1b[5n\x1b[6n');
  expect(told.replies).toBe('\x1b[0n\x1b[1;1R');
});

test('titles, bells and enquiries are told', () => {
  const { write, told } = start();
  write('\x1b]0;both\x07\x1b]1;icon\x07\x1b]2;title\x1b\\\x07\x05');
  expect(told).toMatchObject({ titles: ['both', 'title'], iconNames: ['both', 'icon'], bells: 1, enquiries: 1 });
});

test('a title is bounded', () => {
  const { write, told } = start();
  write(`\x1b]2;${'x'.repeat(100_000)}\x07`);
  expect(told.titles[0]).toHaveLength(4_096);
});

test('the rows that changed are told once', () => {
  const { write, engine } = start();
  engine.takeDamage();
  write('\x1b[5;1Hx');
  const damage = engine.takeDamage();
  expect(damage?.first).toBeLessThanOrEqual(4);
  expect(damage?.last).toBeGreaterThanOrEqual(4);
  expect(engine.takeDamage()).toBeUndefined();
});

test('a size is bounded on both sides', () => {
  const { engine } = start();
  engine.resize(0, 1_000_000);
  expect([engine.columns, engine.rows]).toEqual([2, 8_191]);
});

test('modes follow the application, and menus', () => {
  const { write, engine, text } = start({ columns: 5 });
  write('\x1b[?1h\x1b=\x1b[?2004h\x1b[?2026h');
  expect(engine.modes).toEqual({
    applicationCursorKeys: true,
    applicationKeypad: true,
    bracketedPaste: true,
    synchronizedOutput: true,
  });
  engine.setMode('applicationCursorKeys', false);
  engine.setMode('autoWraparound', false);
  write('123456789');
  expect([engine.modes.applicationCursorKeys, text(0)]).toEqual([false, '12349']);
});

/** What one short sequence may cost: far below what a person notices, far above what it takes. */
const LONGEST_MS = 200;

for (const final of [...'bSTLM@PXABCDEFIZGd`aer']) {
  test(`a thousand million of CSI ${final} are done at once`, () => {
    const { write, engine } = start();
    write('x\x1b[12;40Hy');
    const beforeMs = performance.now();
    write(`\x1b[1000000000${final}`);
    expect(performance.now() - beforeMs).toBeLessThan(LONGEST_MS);
    expect(engine.cursor.column).toBeLessThan(80);
    expect(engine.cursor.row).toBeLessThan(24);
  });
}
