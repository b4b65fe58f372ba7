import { expect, test } from 'vitest';
import { scrollDistance } from '../../../../src/termprog/actions/scroll-and-search.ts';

for (const [parameters, lines] of [
  ['', 1],
  ['5', 5],
  ['5,line,m', 5],
  ['2,lines', 2],
  ['1,halfpage', 12],
  ['1,halfpage,m', 12],
  ['2,Page', 48],
  ['1,furlong', undefined],
  ['-1', undefined],
  ['many', undefined],
  ['1.5', undefined],
] as const) {
  test(`scrolling by "${parameters}" is ${lines} lines of a screen of 24`, () => {
    expect(scrollDistance(parameters === '' ? [] : parameters.split(','), 24)).toBe(lines);
  });
}
