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
