import { expect, test } from 'vitest';
import { parseGeometry } from '../../../../src/termprog/xresource/geometry.ts';

const near = (distance: number) => ({ distance, fromFarEdge: false });
const far = (distance: number) => ({ distance, fromFarEdge: true });

for (const [text, expected] of [
  ['80x24', { width: 80, height: 24 }],
  ['=80x24', { width: 80, height: 24 }],
  ['80X24', { width: 80, height: 24 }],
  ['80', { width: 80 }],
  ['x24', { height: 24 }],
  ['80x24+1+2', { width: 80, height: 24, x: near(1), y: near(2) }],
  ['80x24-1-2', { width: 80, height: 24, x: far(1), y: far(2) }],
  ['80x24+-5-+5', { width: 80, height: 24, x: near(-5), y: far(5) }],
  ['-0-0', { x: far(0), y: far(0) }],
  ['0x0', { width: 0, height: 0 }],
  [' 80x24 ', { width: 80, height: 24 }],
  ['80x24 junk', undefined],
  ['80x24+1', { width: 80, height: 24, x: near(1) }],
  ['40x+3', { width: 40, height: 3 }],
  ['80x24+-', { width: 80, height: 24, x: near(0) }],
  ['80x24+', undefined],
  ['80x-24', undefined],
  ['X24', undefined],
  ['=', undefined],
  ['', undefined],
  ['wide', undefined],
] as const) {
  test(`${JSON.stringify(text)} is ${JSON.stringify(expected)}`, () => expect(parseGeometry(text)).toEqual(expected));
}
