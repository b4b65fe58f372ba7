import { expect, test } from 'vitest';
import { historyWarning } from '../../../../../src/termprog/window/session/history-memory.ts';

test('up to a million lines there is no message', () => {
  expect(historyWarning(1_000_000, 80)).toBeUndefined();
});

test('a longer history gets a message with the memory it may take', () => {
  expect(historyWarning(2_000_000, 80)).toBe(
    'resource vt100.saveLines: 2000000 lines of 80 columns may take 3.3 GiB of memory',
  );
  expect(historyWarning(Number.MAX_SAFE_INTEGER, 8_191)).toContain('PiB of memory');
});
