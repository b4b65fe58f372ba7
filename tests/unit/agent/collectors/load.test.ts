import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseLoadavg } from '../../../../src/agent/collectors/load.ts';

test('the first three fields are the load averages', () => {
  const text = readFileSync('tests/golden/agent/recordings/loadavg', 'utf8');

  expect(parseLoadavg(text)).toEqual([0.67, 1.1, 1.11]);
});

for (const [why, text] of [
  ['empty', ''],
  ['two fields', '0.1 0.2'],
  ['words', 'a b c 1/2 3'],
  ['hexadecimal', '0x1 0x2 0x3'],
  ['empty fields', '0.1  0.3'],
] as const) {
  test(`a file of ${why} is refused`, () => {
    expect(() => parseLoadavg(text)).toThrow('could not understand /proc/loadavg: expected three load averages');
  });
}
