import { expect, test } from 'vitest';
import { codingFor } from '../../../../src/agent/http/accept-encoding.ts';

for (const header of ['gzip', 'deflate, GZIP;q=0.5', 'x-gzip', '*', '*;q=0.1', 'br;q=1.0, *;q=0.8', 'gzip, *;q=0']) {
  test(`${header} is answered with gzip`, () => {
    expect(codingFor(header)).toBe('gzip');
  });
}

for (const header of [
  undefined,
  '',
  'identity',
  'br',
  'gzip;q=0',
  'gzip; q=0.000',
  '*;q=0',
  'gzip;q=0, *',
  'gzip;q=x',
]) {
  test(`${header} is answered plainly`, () => {
    expect(codingFor(header)).toBe('identity');
  });
}

test('a header that is longer than any client’s is not taken apart, however it is made', () => {
  for (const part of ['a,', ';', ' ,', 'gzip;q=1;']) {
    const spentMs = [1, 64].map((kib) => {
      const header = part.repeat((kib * 1024) / part.length);
      const began = process.cpuUsage();
      for (let round = 0; round < 50; round += 1) codingFor(header);
      return process.cpuUsage(began).user / 1000;
    });
    // Sixty-four times as long; the first one may be taken apart.
    expect(spentMs[1] ?? Number.NaN, part).toBeLessThan(10 + (spentMs[0] ?? 0));
  }
  expect(codingFor(`${'a,'.repeat(600)}gzip`)).toBe('identity');
});
