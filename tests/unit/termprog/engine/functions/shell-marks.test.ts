import { expect, test } from 'vitest';
import { startEngine } from '../../../../harness/terminal-engine.ts';

const mark = (text: string): string => `\x1b]133;${text}\x1b\\`;

test('prompts, commands, their output and its end are marked', () => {
  const { write, engine } = startEngine();
  write(`${mark('A')}$ ${mark('B')}false\r\n${mark('C')}out\r\n${mark('D;1')}`);
  const rowOf = (index: number): number | undefined => engine.rowOf(engine.shellMarks[index]?.lineId ?? 0);
  expect(engine.shellMarks.map(({ kind, offset, exitStatus }) => [kind, offset, exitStatus])).toEqual([
    ['prompt', 0, undefined],
    ['command', 2, undefined],
    ['output', 0, undefined],
    ['end', 0, 1],
  ]);
  expect([0, 1, 2, 3].map(rowOf)).toEqual([0, 0, 1, 2]);
});

test('a mark in the middle of a long line counts from its beginning', () => {
  const { write, engine } = startEngine({ columns: 10 });
  write(`0123456789012345${mark('C')}`);
  const [only] = engine.shellMarks;
  expect([only?.offset, engine.rowOf(only?.lineId ?? 0)]).toEqual([16, 0]);
  engine.resize(20, 24);
  expect(engine.rowOf(only?.lineId ?? 0)).toBe(0);
});

for (const sent of ['', 'E', 'toString', `A${'x'.repeat(2_000)}`]) {
  test(`"${sent.slice(0, 10)}" sets no mark`, () => {
    const { write, engine } = startEngine();
    write(mark(sent));
    expect(engine.shellMarks).toEqual([]);
  });
}

test('the alternate screen has no marks, and a reset forgets all', () => {
  const { write, engine } = startEngine();
  write(`\x1b[?1049h${mark('A')}\x1b[?1049l`);
  expect(engine.shellMarks).toEqual([]);
  write(`${mark('A')}\x1bc`);
  expect(engine.shellMarks).toEqual([]);
});

test('however many marks are sent, they take bounded room', () => {
  const { write, engine } = startEngine();
  write(mark('A').repeat(100_000));
  expect(engine.shellMarks.length).toBeLessThan(33_000);
});

for (const [sent, expected] of [
  ['file://host/home/me', 'file://host/home/me'],
  ['file:///home/me', 'file:///home/me'],
  ['', undefined],
  ['http://host/', 'file://host/before'],
  ['file://host', 'file://host/before'],
] as const) {
  test(`"${sent}" ${expected === sent ? 'is' : 'is not'} taken as the working directory`, () => {
    const { write, engine } = startEngine();
    write(`\x1b]7;file://host/before\x1b\\\x1b]7;${sent}\x1b\\`);
    expect(engine.directory).toBe(expected);
  });
}
