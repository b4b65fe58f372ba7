import { expect, test } from 'vitest';
import { appendText, firstLineOf } from '../../../../src/termprog/search/query-text.ts';

test('of a pasted text the first line that is not blank is taken', () => {
  expect(firstLineOf(Buffer.from(' \r\n grün\nrm -rf'))).toBe(' grün');
  expect(firstLineOf(Buffer.from('\n'))).toBe('');
});

test('of a pasted text of any size little is looked at, and a line of megabytes is too long', () => {
  const line = firstLineOf(Buffer.alloc(8_000_000, 'x'));
  expect(line.length).toBeLessThan(100_000);
  expect(appendText('', line)).toBeUndefined();
});
