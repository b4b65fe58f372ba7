import { expect, test } from 'vitest';
import { parseUptime } from '../../../../src/agent/collectors/uptime.ts';

test('the first field is the uptime in seconds', () => {
  expect(parseUptime('951042.08 3650114.55\n')).toBe(951042.08);
});

for (const text of ['', 'up 3 days', '-1.00 2.00', '12.5']) {
  test(`${JSON.stringify(text)} is refused`, () => {
    expect(() => parseUptime(text)).toThrow('could not understand /proc/uptime');
  });
}
