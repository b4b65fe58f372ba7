import { expect, test } from 'vitest';
import { parseLine, serverTimeOf } from '../../../../src/connector/irc/line.ts';

const timeOf = (written: string) => serverTimeOf(parseLine(`@time=${written} :bob!b@host PRIVMSG #room :text`));

test('the time of a server is read to the millisecond', () => {
  expect(timeOf('2026-11-22T23:55:01.234Z')).toBe(Date.UTC(2026, 10, 22, 23, 55, 1, 234));
  expect(timeOf('2026-11-22T23:55:01Z')).toBe(Date.UTC(2026, 10, 22, 23, 55, 1));
});

test.each([
  '',
  '1',
  '2026-11-22',
  '2026-11-22T23:55:01',
  '2026-13-22T23:55:01Z',
  '+012345-01-01T00:00:00.000Z',
  '-000001-01-01T00:00:00.000Z',
  'Sun\\s22\\sNov\\s2026\\s23:55:01\\sGMT',
])('%j is not a time of a server', (written) => {
  expect(timeOf(written)).toBeUndefined();
});
