import { expect, test } from 'vitest';
import { appendText, firstLineOf } from '../../../../src/termprog/search/query-text.ts';

test('pasting takes the first line that is not blank', () => {
  expect(firstLineOf(Buffer.from(' \r\n grün\nrm -rf'))).toBe(' grün');
  expect(firstLineOf(Buffer.from('\n'))).toBe('');
});

test('pasting looks at little of a text of any size, and a line of megabytes is too long', () => {
  const line = firstLineOf(Buffer.alloc(8_000_000, 'x'));
  expect(line.length).toBeLessThan(100_000);
  expect(appendText('', line)).toBeUndefined();
});
