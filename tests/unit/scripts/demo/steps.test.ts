import { expect, test } from 'vitest';
import { formatResults, runSteps, type Step } from '../../../../scripts/demo/check/steps.ts';

test('after a failure the later steps of that program are not tried, those of others are', async () => {
  const steps = [
    step('connector', 'one'),
    step('connector', 'two', () => Promise.reject(new Error('it broke'))),
    step('connector', 'three'),
    step('agent', 'four'),
  ];

  const results = await runSteps(steps, () => undefined);

  expect(results.map(({ outcome }) => outcome)).toEqual(['proved', 'FAILED', 'not tried', 'proved']);
});

test('the table has a row a step and the reason of each failure below', () => {
  const table = formatResults([
    { program: 'connector', proves: 'one', outcome: 'proved', ms: 12 },
    { program: 'agent', proves: 'two things', outcome: 'FAILED', ms: 3, reason: 'it broke' },
  ]);

  expect(table).toBe(
    [
      '| program   | what was proved | result |  time |',
      '|-----------|-----------------|--------|-------|',
      '| connector | one             | proved | 12 ms |',
      '| agent     | two things      | FAILED |  3 ms |',
      '',
      'two things: it broke',
    ].join('\n'),
  );
});

function step(program: Step['program'], proves: string, run: () => Promise<void> = async () => undefined): Step {
  return {
    program,
    proves,
    run,
  };
}
