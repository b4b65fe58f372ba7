import { expect, test } from 'vitest';
import { formatProfiles, functionTimes } from '../../../bench/termprog/profile.ts';

const callFrame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber });

test('the functions that took most come first, without the time in which nothing ran', () => {
  const times = functionTimes({
    nodes: [
      { id: 1, callFrame: callFrame('(idle)') },
      { id: 2, callFrame: callFrame('parse', 'file:///a/program-0123abcd.js', 9) },
      { id: 3, callFrame: callFrame('', 'node:fs', 1) },
    ],
    samples: [1, 2, 3, 2],
    timeDeltas: [50_000, 2_000, 1_000, 1_000],
  });

  expect(times).toEqual([
    { what: 'parse program.js:10', ms: 3, share: 0.75 },
    { what: '(anonymous) node:fs:2', ms: 1, share: 0.25 },
  ]);
  expect(formatProfiles({ cat: times })).toContain('3.0 ms  75.0 %  parse program.js:10');
});
