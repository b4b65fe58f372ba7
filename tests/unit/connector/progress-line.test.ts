import { expect, test } from 'vitest';
import { ProgressLine } from '../../../src/connector/progress-line.ts';

const WORDS = 'x'.repeat(200);

test.each([
  { columns: 40, drawn: 39 },
  { columns: 200, drawn: 199 },
  { columns: 1, drawn: 0 },
  { columns: 0, drawn: 79 },
  { columns: undefined, drawn: 79 },
])('on a terminal of $columns columns the line has $drawn characters', ({ columns, drawn }) => {
  const written: string[] = [];
  const output = {
    isTTY: true,
    ...(columns === undefined ? {} : { columns }),
    write: (text: string) => written.push(text),
  };

  new ProgressLine(output, 100).show(WORDS);

  expect(written).toEqual([`\r\u001b[K${'x'.repeat(drawn)}`]);
});

test('elsewhere than on a terminal a line is whole, and is not erased', () => {
  const written: string[] = [];
  const line = new ProgressLine({ columns: 40, write: (text) => written.push(text) }, 100);

  line.show(WORDS);
  line.erase();

  expect(written).toEqual([`${WORDS}\n`]);
});
