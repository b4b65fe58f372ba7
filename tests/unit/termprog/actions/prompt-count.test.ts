import { expect, test } from 'vitest';
import { promptCount } from '../../../../src/termprog/actions/shell-commands.ts';

test.each([
  [[], 1],
  [['1'], 1],
  [['12'], 12],
  [['0'], undefined],
  [['-1'], undefined],
  [['1.5'], undefined],
  [['two'], undefined],
  [[''], undefined],
  [['1', '2'], undefined],
  [['99999999999999999999'], undefined],
] as const)('%j means %s prompts', (parameters, count) => {
  expect(promptCount(parameters)).toBe(count);
});
