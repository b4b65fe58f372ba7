import { expect, test } from 'vitest';
import { Ending } from '../../../../src/termprog/window/ending.ts';

test('every step is taken in order, once, also after one that fails', () => {
  const taken: string[] = [];
  const ending = new Ending([
    () => taken.push('frames'),
    () => {
      throw new Error('the child is gone');
    },
    () => taken.push('connection'),
  ]);
  expect(() => ending.run()).toThrow('the child is gone');
  ending.run();
  expect(taken).toEqual(['frames', 'connection']);
});
