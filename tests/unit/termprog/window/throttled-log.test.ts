import { expect, test } from 'vitest';
import { ThrottledLog } from '../../../../src/termprog/window/throttled-log.ts';

test('one of a thousand messages a second is written; the next says how many were left out', () => {
  const lines: string[] = [];
  let nowMs = 0;
  const log = new ThrottledLog({ write: (line) => lines.push(line), nowMs: () => nowMs });
  for (; nowMs < 2_000; nowMs += 1) log.log('BadDrawable');
  expect(lines).toEqual(['BadDrawable', 'BadDrawable (999 more since the last such line)']);
});
