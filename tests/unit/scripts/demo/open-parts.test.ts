import { expect, test } from 'vitest';
import { OpenParts } from '../../../../scripts/demo/open-parts.ts';

test('a part that opens while all end is ended as well, and its opener stops', async () => {
  const parts = new OpenParts();
  const ended: string[] = [];
  parts.add(async () => void ended.push('first'));
  await parts.close();

  expect(() => parts.add(async () => void ended.push('late'))).toThrow('a part was opened while all parts end');
  await parts.close();

  expect(ended).toEqual(['first', 'late']);
});
