import { expect, test } from 'vitest';
import { lastCommandOutput } from '../../../../src/termprog/command-output/last-output.ts';
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

test('the output of the last command that ended is found, whatever came after it', () => {
  expect(outputOf(command('first\r\n') + command('second\r\n') + prompt)).toBe('second\n');
  expect(outputOf(`${command('first\r\n')}${prompt}running\r\n${mark('C')}not yet`)).toBe('first\n');
  // A shell that marks the end of each line that was typed, although it ran nothing.
  expect(outputOf(`${command('first\r\n')}${prompt}\r\n${mark('D')}${prompt}\r\n${mark('D')}`)).toBe('first\n');
});

test('without marks, or without any output, there is none', () => {
  expect(outputOf('text\r\n')).toBe('');
  expect(outputOf(command('') + prompt)).toBe('');
  expect(outputOf(`${prompt}cmd\r\n${mark('C')}text`)).toBe('');
  expect(outputOf(`text${mark('D')}${prompt}`)).toBe('');
});

test('what is left of an output whose beginning has left the history is all there is', () => {
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
