import { expect, test } from 'vitest';
import { promptAbove, promptBelow } from '../../../../src/termprog/prompts/prompt-rows.ts';
import { startEngine } from '../../../harness/terminal-engine.ts';

const PROMPT = '\x1b]133;A\x07';

/** Ten prompts with four lines of output each; the first prompt is in row `-45`, the last in row 1. */
function startWithPrompts(start: Parameters<typeof startEngine>[0] = {}) {
  const terminal = startEngine({ columns: 20, rows: 6, ...start });
  for (let prompt = 0; prompt < 10; prompt += 1) terminal.write(`${PROMPT}$ ${prompt}\r\na\r\nb\r\nc\r\nd\r\n`);
  const textAt = (row: number | undefined): string | undefined =>
    row === undefined ? undefined : terminal.text(row).trimEnd();
  const { engine } = terminal;
  const above = (row: number, count = 1): string | undefined =>
    textAt(promptAbove(engine, engine.shellMarks, row, count));
  const below = (row: number, count = 1): string | undefined =>
    textAt(promptBelow(engine, engine.shellMarks, row, count));
  return { ...terminal, above, below };
}

test('the count-th prompt above a row, or the oldest', () => {
  const { above } = startWithPrompts();
  expect([above(0), above(0, 2), above(0, 9), above(0, 99)]).toEqual(['$ 8', '$ 7', '$ 0', '$ 0']);
  expect(above(-45)).toBeUndefined();
});

test('the count-th prompt below a row, or the newest', () => {
  const { below } = startWithPrompts();
  expect([below(-44), below(-46), below(-44, 3), below(-44, 99)]).toEqual(['$ 1', '$ 0', '$ 3', '$ 9']);
  expect(below(1)).toBeUndefined();
});

test('prompts of lines that have left the history are left out', () => {
  const { above } = startWithPrompts({ saveLines: 12 });
  expect([above(0, 2), above(0, 3), above(0, 99)]).toEqual(['$ 7', '$ 7', '$ 7']);
});

test('several marks in one line are one prompt', () => {
  const { write, above } = startWithPrompts();
  write(`${PROMPT}$ \r${PROMPT}$ again\r${PROMPT}\r\n\n\n\n\n\n\n`);
  expect([above(0), above(0, 2)]).toEqual(['$ again', '$ 9']);
});

test('prompts stay where they are in the text when it is broken anew', () => {
  const { engine, above } = startWithPrompts();
  engine.resize(3, 6);
  expect([above(0), above(0, 5)]).toEqual(['$ 8', '$ 4']);
});

test('a prompt behind output without a newline is found in its own row', () => {
  const { engine, write } = startEngine({ columns: 10, rows: 3 });
  write(`${'x'.repeat(25)}${PROMPT}$ here\r\n\n\n\n\n`);
  const row = promptAbove(engine, engine.shellMarks, 0, 1);
  expect(engine.line(row ?? 0)?.isWrapped).toBe(true);
  expect(promptBelow(engine, engine.shellMarks, (row ?? 0) - 1, 1)).toBe(row);
});

test('thousands of marks in one long line cost one walk through it', () => {
  const { engine, write } = startEngine({ columns: 200, rows: 3, saveLines: 30_000 });
  write(`${'x'.repeat(100 * 200)}${PROMPT.repeat(4_000)}\r\n\n\n`);
  engine.resize(1, 3);
  let asked = 0;
  const view = {
    rows: engine.rows,
    historyLines: engine.historyLines,
    line: (row: number) => {
      asked += 1;
      return engine.line(row);
    },
  };
  expect(promptAbove(view, engine.shellMarks, 0, 1)).toBe(promptAbove(engine, engine.shellMarks.slice(-1), 0, 1));
  expect(asked).toBeLessThan(3 * engine.historyLines);
});
