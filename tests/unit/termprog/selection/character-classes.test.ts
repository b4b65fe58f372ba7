import { expect, test } from 'vitest';
import { readCharacterClasses } from '../../../../src/termprog/selection/marking/character-classes.ts';
import { processorMs } from '../../../harness/processor-time.ts';

function problemsOf(text: string): string[] {
  const problems: string[] = [];
  readCharacterClasses(text, (problem) => problems.push(problem));
  return problems;
}

// Blanks that are looked at in every combination take many times longer.
test('a part with many blanks is soon read', () => {
  const read = (): void => expect(problemsOf(`45 ${' '.repeat(60_000)}x`)).toHaveLength(1);
  expect(processorMs(read)).toBeLessThan(1_000);
});

test('the first of many unreadable parts are reported, with the number of the others', () => {
  const parts = Array.from({ length: 1_000 }, (_, index) => `x${index}`);

  const problems = problemsOf([...parts, '46:48'].join());

  expect(problems).toHaveLength(11);
  expect(problems[0]).toContain('"x0"');
  expect(problems[10]).toContain('990');
});
