import { expect, test } from 'vitest';
import {
  BLINK,
  BOLD,
  COLOR_INDEXED,
  COLOR_RGB,
  CONTINUATION,
  DIM,
  INVERSE,
  INVISIBLE,
  ITALIC,
  OVERLINE,
  STRIKETHROUGH,
  UNDERLINE,
  UNDERLINE_SHIFT,
  WIDE,
} from '../../../../src/termprog/engine/cell.ts';
import { CLUSTER_MAX_CODE_POINTS, CONTROL_STRING_MAX_CHARACTERS } from '../../../../src/termprog/engine/limits.ts';
import { startEngine } from '../../../harness/terminal-engine.ts';

test('output is on the screen when write returns', () => {
  const { write, text, engine } = startEngine();
  write('one\r\ntwo');
  expect([text(0), text(1)]).toEqual(['one', 'two']);
  expect(engine.cursor).toEqual({ column: 3, row: 1, isVisible: true, shape: 'block' });
});

test('a cell reports its colours and attributes', () => {
  const { write, cell } = startEngine();
  write('\x1b[1;3;4;7;9;31;48;5;200mX\x1b[m\x1b[2;5;8;53;38;2;1;2;3mY\x1b[m\x1b[4:3;58:2::9:8:7;97;104mZ');
  expect(cell(0, 0)).toMatchObject({
    foreground: (COLOR_INDEXED | 1 | BOLD | ITALIC | INVERSE) >>> 0,
    background: (COLOR_INDEXED | 200 | STRIKETHROUGH | (UNDERLINE.single << UNDERLINE_SHIFT)) >>> 0,
  });
  expect(cell(0, 1)).toMatchObject({
    foreground: (COLOR_RGB | 0x010203 | DIM | BLINK | INVISIBLE) >>> 0,
    background: OVERLINE,
  });
  expect(cell(0, 2)).toMatchObject({
    foreground: COLOR_INDEXED | 15,
    background: (COLOR_INDEXED | 12 | (UNDERLINE.curly << UNDERLINE_SHIFT)) >>> 0,
    extra: { underlineColor: COLOR_RGB | 0x090807, link: undefined },
  });
});

test('colours are taken in every form, and an invalid one has no effect', () => {
  const { write, cell } = startEngine();
  write(
    '\x1b[38:5:200mA\x1b[38:2:1:2:3mB\x1b[38:2::1:2:3mC\x1b[38;2;256;0;0mD\x1b[38;5;256mE\x1b[38;5mF\x1b[38mG\x1b[39mH',
  );
  const rgb = COLOR_RGB | 0x010203;
  expect([...'ABCDEFGH'].map((_, column) => cell(0, column).foreground)).toEqual([
    COLOR_INDEXED | 200,
    rgb,
    rgb,
    rgb,
    rgb,
    COLOR_INDEXED | 0,
    COLOR_INDEXED | 0,
    0,
  ]);
});

test('wide characters take two cells and joined code points one', () => {
  const { write, cell } = startEngine();
  write('漢e\u0301');
  expect([cell(0, 0).content & WIDE, cell(0, 1).content & CONTINUATION]).toEqual([WIDE, CONTINUATION]);
  expect([cell(0, 0).text, cell(0, 2).text]).toEqual(['漢', 'e\u0301']);
});

test('half of a wide character that is overwritten leaves a blank', () => {
  const { write, text } = startEngine();
  write('漢字\x1b[1;2Hx\x1b[1;3Hy');
  expect(text(0)).toBe(' xy');
});

test('a wide character that does not fit the last column goes to the next line', () => {
  const { write, text } = startEngine({ columns: 5 });
  write('1234漢');
  expect([text(0), text(1)]).toEqual(['1234', '漢']);
});

test('a wide character that does not fit before the right margin leaves no half of another one there', () => {
  const { write, cell } = startEngine({ columns: 12 });
  write('\x1b[1;9H漢\x1b[?69h\x1b[1;9s\x1b[1;9H字');
  expect([cell(0, 8).content, cell(0, 9).content]).toEqual([0, 0]);
});

test(`at most ${CLUSTER_MAX_CODE_POINTS} code points join a cell`, () => {
  const { write, cell, text } = startEngine();
  write(`a${'\u0301'.repeat(200_000)}b\u0301`);
  expect([...cell(0, 0).text]).toHaveLength(CLUSTER_MAX_CODE_POINTS);
  expect(text(0).endsWith('b\u0301')).toBe(true);
});

test('a joining code point without a base is left out', () => {
  const { write, text, engine } = startEngine();
  write('\u0301a');
  expect([text(0), engine.cursor.column]).toEqual(['a', 1]);
});

test('lines that left the screen are history, up to the bound', () => {
  const { write, text, engine } = startEngine({ rows: 3, saveLines: 5 });
  write(Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\r\n'));
  expect(engine.historyLines).toBe(5);
  expect([text(-5), text(-1), text(2)]).toEqual(['line 12', 'line 16', 'line 19']);
  expect(engine.line(-6)).toBeUndefined();
  expect(engine.line(3)).toBeUndefined();
});

test('rows are dropped without a history', () => {
  const { write, engine } = startEngine({ rows: 3, saveLines: 0 });
  write('1\r\n2\r\n3\r\n4');
  expect([engine.historyLines, engine.line(-1)]).toEqual([0, undefined]);
});

test('lines of a region at the top become history, and what is below it stays', () => {
  const { write, text, engine } = startEngine({ rows: 4 });
  write('\x1b[4;1Hstatus\x1b[1;3r\x1b[1;1H1\r\n2\r\n3\r\n4\r\n5');
  expect([text(0), text(2), text(3)]).toEqual(['3', '5', 'status']);
  expect([engine.historyLines, text(-2), text(-1)]).toEqual([2, '1', '2']);
});

test('lines of a region below the top are not history', () => {
  const { write, text, engine } = startEngine({ rows: 4 });
  write('title\x1b[2;4r\x1b[2;1H1\r\n2\r\n3\r\n4\r\n5');
  expect([text(0), text(1), text(3), engine.historyLines]).toEqual(['title', '3', '5', 0]);
});

test('the alternate screen has no history and gives the first one back', () => {
  const { write, text, engine } = startEngine({ rows: 3 });
  write('1\r\n2\r\n3\r\n4\x1b[?1049h\x1b[Halternate');
  expect([text(0), engine.historyLines]).toEqual(['alternate', 0]);
  write('\x1b[?1049l');
  expect([text(2), engine.historyLines, engine.cursor.column]).toEqual(['4', 1, 1]);
});

test('titles, bells and enquiries reach the host', () => {
  const { write, told } = startEngine();
  write('\x1b]0;both\x07\x1b]1;icon\x07\x1b]2;title\x1b\\\x07\x05');
  expect(told).toMatchObject({
    titles: ['both', 'title'],
    iconNames: ['both', 'icon'],
    bells: 1,
    replies: 'here I am',
  });
});

test('titles that are not permitted are not set', () => {
  const { write, told } = startEngine({ permits: () => false });
  write('\x1b]0;both\x07\x1b]1;icon\x07\x1b]2;title\x1b\\');
  expect([told.titles, told.iconNames]).toEqual([[], []]);
});

test('a title and the address of a link are cut, another control string beyond the bound is dropped whole', () => {
  const { write, told, cell, engine } = startEngine();
  write(`\x1b]2;${'x'.repeat(100_000)}\x07`);
  expect(told.titles[0]).toHaveLength(4_096);
  write(`\x1b]8;;http://a/${'x'.repeat(CONTROL_STRING_MAX_CHARACTERS)}\x07L`);
  expect(cell(0, 0).text).toBe('L');
  // One character more than can be opened.
  expect(cell(0, 0).extra.link?.uri).toHaveLength(65_537);
  write(`\x1b]133;A;${'x'.repeat(CONTROL_STRING_MAX_CHARACTERS)}\x07`);
  expect(engine.shellMarks).toEqual([]);
});

test('a control string that is cancelled has no effect', () => {
  const { write, told, text } = startEngine();
  write('\x1b]2;never\x18ok\x1b]2;nor this\x1a!');
  expect([told.titles, text(0)]).toEqual([[], 'ok!']);
});

test('text carries the link that is open, and no other', () => {
  const { write, cell } = startEngine();
  write('a\x1b]8;id=7:x=y;http://example.org/?a;b\x1b\\b\x1b[1mc\x1b[m\x1b]8;;\x1b\\d');
  const link = { uri: 'http://example.org/?a;b', id: '7' };
  expect([0, 1, 2, 3].map((column) => cell(0, column).extra.link)).toEqual([undefined, link, link, undefined]);
});

test('changed rows are reported once', () => {
  const { write, engine } = startEngine();
  engine.takeDamage();
  write('\x1b[5;1Hx');
  const { rows, scrolls } = engine.takeDamage();
  expect([[...rows].flatMap((isMarked, row) => (isMarked === 1 ? [row] : [])), scrolls]).toEqual([[4], []]);
  expect([...engine.takeDamage().rows].every((isMarked) => isMarked === 0)).toBe(true);
});

test('a line keeps its id while it scrolls into the history, until it leaves that', () => {
  const { write, engine, text } = startEngine({ rows: 3, saveLines: 2 });
  write('one');
  const id = engine.line(0)?.id ?? 0;
  write('\r\ntwo\r\nthree\r\nfour');
  expect(engine.rowOf(id)).toBe(-1);
  expect(text(-1)).toBe('one');
  write('\r\nfive\r\nsix');
  expect(engine.rowOf(id)).toBeUndefined();
});

for (const [sequence, expected, why] of [
  ['\x1b[5n', '\x1b[0n', 'ready'],
  ['\x1b[6n', '\x1b[1;1R', 'home'],
  [`${'x'.repeat(80)}\x1b[6n`, '\x1b[1;80R', 'behind the last column the cursor is on it'],
  ['\x1b[5;10r\x1b[?6h\x1b[2;3H\x1b[6n', '\x1b[2;3R', 'in origin mode it counts from the margin'],
  ['\x1b[?6n', '\x1b[?1;1;1R', 'private form, with the page'],
  ['\x1b[c', '\x1b[?64;6;9;15;21;22;28;52c', 'primary attributes'],
  ['\x1b[>c', '\x1b[>41;379;0c', 'secondary attributes'],
  ['\x1b[?7$p\x1b[?2004$p\x1b[?31337$p\x1b[4$p', '\x1b[?7;1$y\x1b[?2004;2$y\x1b[?31337;0$y\x1b[4;2$y', 'modes'],
  ['\x1bP$qm\x1b\\', '\x1bP1$r0m\x1b\\', 'no rendition'],
  ['\x1b[1;4:3;31;48;5;200;58;5;7m\x1bP$qm\x1b\\', '\x1bP1$r0;1;4:3;31;48:5:200;58:5:7m\x1b\\', 'a rendition'],
  ['\x1b[38;2;1;2;3;103m\x1bP$qm\x1b\\', '\x1bP1$r0;38:2::1:2:3;103m\x1b\\', 'true and bright colours'],
  ['\x1b[3;20r\x1bP$qr\x1b\\', '\x1bP1$r3;20r\x1b\\', 'margins'],
  ['\x1b[5 q\x1bP$q q\x1b\\', '\x1bP1$r5 q\x1b\\', 'cursor style'],
  ['\x1b[1"q\x1bP$q"q\x1b\\', '\x1bP1$r1"q\x1b\\', 'protection'],
  ['\x1bP$qtoString\x1b\\', '\x1bP0$r\x1b\\', 'an unknown setting is not echoed'],
] as const) {
  test(`${JSON.stringify(sequence)} is answered: ${why}`, () => {
    const { write, told } = startEngine();
    write(sequence);
    expect(told.replies).toBe(expected);
  });
}

test('a soft reset ends margins, rendition and insertion, and leaves other private modes', () => {
  const { write, engine, told } = startEngine();
  write('\x1b[?2004h\x1b[?1h\x1b[5;10r\x1b[1;31m\x1b[4h\x1b[?25l\x1b[8;8H\x1b[!p\x1bP$qm\x1b\\\x1bP$qr\x1b\\');
  expect(told.replies).toBe('\x1bP1$r0m\x1b\\\x1bP1$r1;24r\x1b\\');
  expect(engine.modes.get('bracketedPaste')).toBe(true);
  expect([engine.modes.get('insert'), engine.modes.get('applicationCursorKeys')]).toEqual([false, false]);
  expect(engine.cursor).toMatchObject({ column: 7, row: 7, isVisible: true });
});

test('a full reset gives a new terminal', () => {
  const { write, engine, text } = startEngine({ rows: 3 });
  write('1\r\n2\r\n3\r\n4\x1b[?1049h\x1b[?2004h\x1b[3 q\x1b(0\x1b[31mq');
  engine.fullReset();
  write('q');
  expect([text(0), engine.historyLines, engine.cursor]).toEqual([
    'q',
    0,
    { column: 1, row: 0, isVisible: true, shape: 'block' },
  ]);
  expect(engine.modes.get('bracketedPaste')).toBe(false);
  expect(engine.modes.get('alternateScreen')).toBe(false);
});

test('menus and actions set modes without a byte in the parser', () => {
  const { write, engine, text } = startEngine({ columns: 5 });
  // The sequence that is half received stays half received.
  write('\x1b[3');
  engine.modes.set('autoWraparound', false);
  engine.modes.set('applicationCursorKeys', true);
  write('1m123456789');
  expect([text(0), engine.modes.get('applicationCursorKeys')]).toEqual(['12349', true]);
});

test('one mouse protocol and one encoding hold at a time', () => {
  const { write, engine } = startEngine();
  write('\x1b[?1000h\x1b[?1006h\x1b[?1003h\x1b[?1016h');
  const states = (['mouseButtons', 'mouseMotion', 'mouseSgr', 'mouseSgrPixels'] as const).map((name) =>
    engine.modes.get(name),
  );
  expect(states).toEqual([false, true, false, true]);
});

test('protected characters survive selective erasure', () => {
  const { write, text } = startEngine();
  write('\x1b[1"qkeep\x1b[0"qlose\x1b[?2K');
  expect(text(0)).toBe('keep');
});

test('erased cells take only the background of the rendition', () => {
  const { write, cell } = startEngine();
  write('\x1b[1;4;31;44mx\x1b[K');
  expect(cell(0, 5)).toMatchObject({ foreground: 0, background: COLOR_INDEXED | 4 });
});

for (const sequence of ['4J', '?3J', '3K', '?7K']) {
  test(`CSI ${sequence}, which means no erasure, leaves text to go on in the next line`, () => {
    const { write, text } = startEngine({ columns: 5 });
    write(`12345\x1b[${sequence}6`);
    expect([text(0), text(1)]).toEqual(['12345', '6']);
  });
}

test('the history is erased on request, and the screen stays', () => {
  const { write, engine, text } = startEngine({ rows: 2 });
  write('1\r\n2\r\n3\x1b[3J');
  expect([engine.historyLines, text(0), text(1)]).toEqual([0, '2', '3']);
});
