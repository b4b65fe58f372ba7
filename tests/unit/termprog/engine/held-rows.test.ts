import { expect, test } from 'vitest';
import { type EngineStart, startEngine } from '../../../harness/terminal-engine.ts';

/** A prompt as a shell marks it; what it says of itself is behind the letter. */
const prompt = (text: string, says = ''): string => `\x1b]133;A${says}\x07${text}\x1b]133;B\x07`;

/** An engine whose rows are read from the history on. */
function start(given: EngineStart) {
  const started = startEngine(given);
  const { engine, text } = started;
  return {
    ...started,
    rows: (): string[] => {
      const all = Array.from({ length: engine.historyLines + engine.rows }, (_, row) =>
        text(row - engine.historyLines),
      );
      return all.slice(0, all.findLastIndex((row) => row !== '') + 1);
    },
  };
}

test('the line that a program edits keeps its rows, and the cursor its row among them', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write('output that wraps\r\n$ a long command');
  engine.resize(20, 6, true);
  expect(rows()).toEqual(['output that wraps', '$ a long c', 'ommand']);
  expect(engine.cursor).toMatchObject({ row: 2, column: 6 });
  engine.resize(6, 6, true);
  expect(rows()).toEqual(['output', ' that', 'wraps', '$ a lo', 'ommand']);
  expect(engine.cursor).toMatchObject({ row: 4, column: 5 });
});

test('such a line is one line of text, and is broken anew when the program has gone on', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write('$ a long command');
  engine.resize(20, 6, true);
  write('\r\n$ ');
  engine.resize(12, 6, true);
  expect(rows()).toEqual(['$ a long com', 'mand', '$']);
});

test('a line that the kernel edits is broken anew', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(prompt('$ a long command'));
  engine.resize(6, 6);
  expect(rows()).toEqual(['$ a lo', 'ng com', 'mand']);
});

test('rows from the mark of a prompt on are erased where the shell draws all of them again', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(`output\r\n${prompt('above\r\n$ ', ';redraw=1')}a long command`);
  engine.resize(20, 6, true);
  expect(rows()).toEqual(['output']);
  expect(engine.cursor).toMatchObject({ row: 3, column: 6 });
});

test('output before the prompt in the same row stays', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(`out${prompt('$ ', ';redraw=1')}command`);
  engine.resize(5, 6, true);
  expect(rows()).toEqual(['out']);
});

test('the lines above are text like others when a shell draws the last line of its prompt again', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(prompt('a long line above\r\n$ ', ';redraw=last'));
  write('command');
  engine.resize(20, 6, true);
  expect(rows()).toEqual(['a long line above']);
});

test('the lines above stay as they are for a shell that does not say what it redraws', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(prompt('a long line above\r\n$ '));
  write('command');
  engine.resize(20, 6, true);
  expect(rows()).toEqual(['a long lin', 'e above']);
});

/**
 * Shell -> its output around a prompt of two lines: zsh before it switches bracketed paste on, fish and bash behind
 * that.
 */
const UNMARKED = {
  zsh: '\x1b[Jabove it\r\n$ \x1b[K\x1b[?2004h',
  fish: '\x1b[?2004habove it\x1b[K\r\n$ \x1b[K',
  bash: '\x1b[?2004habove it\r\n$ ',
};

test.each(['zsh', 'fish'] as const)('without marks, all rows that %s has drawn keep their number', (shell) => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(`output\r\n${UNMARKED[shell]}`);
  engine.resize(6, 6, true);
  expect(rows()).toEqual(['output', 'above', '$']);
});

test.each([
  ['lists completions below its input', 'ls\r\n\x1b[Ja b\x1b[A\x1b[3G', ['output', 'above', '$ ls', 'a b']],
  [
    'has listed completions where its input now goes on',
    'ls\r\n\x1b[J\x1b[A\x1b[5Gmany words',
    ['output', 'above', '$ lsma', 'ords'],
  ],
] as const)('the rows of zsh keep their number also when it %s', (_what, input, expected) => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(`output\r\n${UNMARKED.zsh}${input}`);
  engine.resize(6, 6, true);
  expect(rows()).toEqual(expected);
});

test('a message of zsh above a new prompt is broken anew', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 8 });
  write(`${UNMARKED.zsh}ls\r\n[1] + done\r\n\x1b[Jabove it\r\n$ ls\x1b[K`);
  engine.resize(6, 8, true);
  expect(rows().slice(-4)).toEqual(['[1] +', 'done', 'above', '$ ls']);
});

test('all rows of a command of several lines that fish has drawn keep their number', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(`${UNMARKED.fish}for a in x\r\n\x1b[K  echo one\r\n\x1b[K  echo two`);
  engine.resize(6, 6, true);
  expect(rows()).toEqual(['above', '$ for', ' x', '  echo', '  echo']);
});

test('the upper lines of a prompt of bash, which draws its last line again, are broken anew', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(`${UNMARKED.bash}command`);
  engine.resize(6, 6, true);
  expect(rows()).toEqual(['above', 'it', '$ comm']);
});

test.each(Object.keys(UNMARKED) as (keyof typeof UNMARKED)[])(
  'output of a command that erased the screen below it is broken anew at the next prompt of %s',
  (shell) => {
    const { engine, write, rows } = start({ columns: 10, rows: 8 });
    write(`${UNMARKED[shell]}\x1b[?2004l\r\n\x1b[Joutput of\r\nlines too\x1b[K\r\n${UNMARKED[shell]}`);
    engine.resize(6, 8, true);
    expect(rows()).toEqual(expect.arrayContaining(['output', ' of', 'lines', 'too']));
  },
);

test('the prompt of a further line leaves the line above as it was entered', () => {
  const { engine, write, rows } = start({ columns: 20, rows: 6 });
  write(`${prompt('$ ', ';redraw=last')}for each in 1 2 3\r\n\x1b]133;A;k=s;redraw=last\x07> echo`);
  engine.resize(10, 6, true);
  expect(rows()).toEqual(['$ for each', ' in 1 2 3']);
});

test('the prompt of a shell that does not redraw is broken anew with all other text', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(`${prompt('$ ', ';redraw=0')}a long command`);
  engine.resize(20, 6, true);
  expect(rows()).toEqual(['$ a long command']);
});

test('a prompt that is erased leaves no part in the history of a lower screen', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(`one\r\ntwo\r\n${prompt('$ ', ';redraw=1')}a command of four rows, nearly`);
  engine.resize(12, 2, true);
  write(`\x1b[4A\r\x1b[J${prompt('$ ', ';redraw=1')}again`);
  expect(rows()).toEqual(['one', 'two', '$ again']);
});

test('a line longer than the screen keeps the rows that are on it, and loses no text when it is widened', () => {
  const { engine, write, rows } = start({ columns: 5, rows: 3, saveLines: 50 });
  write('abcdefghijklmnopqrstuvwxyz');
  engine.resize(9, 3, true);
  engine.resize(30, 3);
  expect(rows().join('')).toBe('abcdefghijklmnopqrstuvwxyz');
});

test('the screen that an editor left for the alternate one is kept the same way', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write('$ a long command\x1b[?1049h\x1b[2Jother');
  engine.resize(20, 6, true);
  write('\x1b[?1049l');
  expect(rows()).toEqual(['$ a long c', 'ommand']);
  expect(engine.cursor).toMatchObject({ row: 1, column: 6 });
});

for (const [shape, text, typed] of [
  ['one row', '0123456789', ''],
  ['two rows', 'abcdefghij0123456789', 'x'],
  ['one row, with a command of two', '0123456789', 'a long command'],
] as const) {
  test(`a prompt that fills ${shape} exactly, behind which zsh begins the next row, keeps its rows`, () => {
    const { engine, write, rows } = start({ columns: 10, rows: 6 });
    write(`output\r\n${text}\r\n\x1b[K${typed}`);
    const { length } = rows();
    const { row } = engine.cursor;
    engine.resize(9, 6, true);
    expect(engine.cursor.row).toBe(row);
    expect(rows()).toHaveLength(length);
  });
}

for (const [shape, text, typed] of [
  ['one row', '0123456789', 'x'],
  ['two rows', 'abcdefghij0123456789', 'x'],
  ['one row, with a command of two', '0123456789', 'a long command'],
] as const) {
  test(`a prompt that fills ${shape} exactly since zsh has drawn it anew keeps its rows`, () => {
    const { engine, write, rows } = start({ columns: 10, rows: 6 });
    write(`output\r\n\x1b[J${text}\r\n${typed}`);
    const { length } = rows();
    const { row } = engine.cursor;
    engine.resize(9, 6, true);
    expect(engine.cursor.row).toBe(row);
    expect(rows()).toHaveLength(length);
    expect(rows()[0]).toBe('output');
  });
}

test('rows that a program wrote below what it erased are broken anew where one of them ends before its last column', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 8 });
  write('\x1b[Jdone\r\n0123456789\r\n$ a');
  engine.resize(7, 8, true);
  expect(rows()).toEqual(['done', '0123456', '789', '$ a']);
});

test('a full row of output above such a line is broken anew, and loses no text', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write('0123456789\r\n\x1b[0m\x1b[J$ a');
  engine.resize(7, 6, true);
  expect(rows()).toEqual(['0123456', '789', '$ a']);
});

for (const says of [';redraw=1', ';redraw=last']) {
  test(`text below the last line of a prompt with ${says} is not erased`, () => {
    const { engine, write, rows } = start({ columns: 10, rows: 6 });
    write(`output\r\n${prompt('$ ', says)}one\r\ntwo\r\nthree\r\n`);
    engine.resize(20, 6, true);
    expect(rows()).toEqual(['output', '$ one', 'two', 'three']);
    // fish draws its prompt again where the cursor is.
    write('$ \x1b]133;B\x07');
    engine.resize(12, 6, true);
    expect(rows()).toEqual(['output', '$ one', 'two', 'three', '$']);
  });
}

test('marks of a program that has gone erase no text', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(`${prompt('$ ', ';redraw=1')}\r\nexit\r\n> a command`);
  engine.resize(20, 6, true, true);
  expect(rows()).toEqual(['$', 'exit', '> a comman', 'd']);
});

/** Rows of a command's output behind a mark, with shell output that contains no marks. */
const SHOWN = [`${prompt('shown', ';redraw=1')}\r\n`, '$ ls', '\r\n0123456789 output\r\n', '$ '] as const;

test('a mark of another program than the shell holds and erases no row once a command has run behind it, which ends pastes', () => {
  const { engine, write, rows } = start({ columns: 20, rows: 8 });
  const [shown, command, output, next] = SHOWN;
  write(`${shown}\x1b[?2004h${command}\x1b[?2004l${output}\x1b[?2004h${next}`);
  engine.resize(10, 8, true);
  expect(rows()).toEqual(['shown', '$ ls', '0123456789', ' output', '$']);
});

test('the mark of a further prompt opens it again', () => {
  const { engine, write, rows } = start({ columns: 10, rows: 6 });
  write(`\x1b[?2004h${prompt('$ ', ';redraw=last')}if\x1b[?2004l\r\n`);
  write(`\x1b[?2004h${prompt('> ', ';k=s;redraw=1')}0123456789`);
  engine.resize(20, 6, true);
  expect(rows()).toEqual(['$ if']);
});
