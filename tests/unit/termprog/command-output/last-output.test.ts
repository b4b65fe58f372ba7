import { expect, test } from 'vitest';
import { lastCommandLine, lastCommandOutput } from '../../../../src/termprog/command-output/last-output.ts';
import { startEngine } from '../../../harness/terminal-engine.ts';

const mark = (letter: string): string => `\x1b]133;${letter}\x07`;
const command = (output: string): string => `${mark('A')}$ ${mark('B')}cmd\r\n${mark('C')}${output}${mark('D;1')}`;
const prompt = `${mark('A')}$ ${mark('B')}`;
const lines = (count: number): string => Array.from({ length: count }, (_, line) => `${line}\r\n`).join('');

function outputOf(text: string, saveLines = 100): string {
  const { engine, write } = startEngine({ columns: 20, rows: 5, saveLines });
  write(text);
  return lastCommandOutput(engine);
}

test('the output of the last command that ended is found behind any later output', () => {
  expect(outputOf(command('first\r\n') + command('second\r\n') + prompt)).toBe('second\n');
  expect(outputOf(`${command('first\r\n')}${prompt}running\r\n${mark('C')}not yet`)).toBe('first\n');
  // This shell marks the end of each line that was typed, although it ran no command.
  expect(outputOf(`${command('first\r\n')}${prompt}\r\n${mark('D')}${prompt}\r\n${mark('D')}`)).toBe('first\n');
});

test('without marks, or without any output, there is none', () => {
  expect(outputOf('text\r\n')).toBe('');
  expect(outputOf(command('') + prompt)).toBe('');
  expect(outputOf(`${prompt}cmd\r\n${mark('C')}text`)).toBe('');
  expect(outputOf(`text${mark('D')}${prompt}`)).toBe('');
});

test('an output whose beginning has left the history is returned without it', () => {
  expect(outputOf(command(lines(30)) + prompt, 6)).toBe('20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n');
  expect(outputOf(`${command(lines(30))}${prompt}\r\n${lines(30)}`, 6)).toBe('');
});

test('it is the same text after the window was made narrower, and wider again', () => {
  const { engine, write } = startEngine({ columns: 20, rows: 5, saveLines: 100 });
  const output = `${'x'.repeat(30)}\r\n漢字漢字漢字漢字漢字漢字\r\n  indented  \r\n\r\n`;
  write(command(output) + prompt);
  const text = `${'x'.repeat(30)}\n漢字漢字漢字漢字漢字漢字\n  indented\n\n`;
  for (const columns of [20, 7, 5, 33]) {
    engine.resize(columns, 5);
    expect(lastCommandOutput(engine)).toBe(text);
  }
});

/** Returns the command of the last output, and how many lines of the screen and of the history were read for it. */
function readCommand(text: string): { command: string; lines: number } {
  const { engine, write } = startEngine({ columns: 20, rows: 5, saveLines: 10_000 });
  write(text);
  let lines = 0;
  const { shellMarks, columns, rows, historyLines, cursor } = engine;
  const counted = {
    ...{ shellMarks, columns, rows, historyLines, cursor },
    line: (row: number) => {
      lines += 1;
      return engine.line(row);
    },
    rowOf: (lineId: number) => engine.rowOf(lineId),
    clusterText: (number: number) => engine.clusterText(number),
    extra: (number: number) => engine.extra(number),
  };
  return { command: lastCommandLine(counted), lines };
}

test('the command of an output is what was typed, over several prompts, and cut where it is long', () => {
  expect(readCommand(`${prompt}make\r\n${mark('A;k=s')}> all\r\n${mark('C')}`).command).toBe('make > all');
  expect(readCommand(`${prompt}${'😀'.repeat(150)}\r\n${mark('C')}`).command).toBe(`${'😀'.repeat(99)}…`);
  expect(readCommand(`${prompt}${lines(500)}${mark('C')}`).command).toMatch(/^0 1 2 .* 63…$/);
});

test('an output that no command precedes has none', () => {
  expect(readCommand(`${prompt}make\r\n${mark('C')}output\r\n${mark('C')}`).command).toBe('');
  expect(readCommand(`${mark('A')}$ make\r\n${mark('C')}`).command).toBe('');
  expect(readCommand(mark('C')).command).toBe('');
});

test('however much lies between the marks of a command and its output, a few lines of it are read', () => {
  expect(readCommand(`${prompt}${lines(9_000)}${mark('C')}`).lines).toBeLessThan(1_000);
  expect(readCommand(`${prompt}${lines(9_000)}${mark('C')}${mark('C')}`).lines).toBeLessThan(1_000);
});
