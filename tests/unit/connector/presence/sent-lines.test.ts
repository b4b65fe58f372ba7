import { expect, test } from 'vitest';
import { SentLines } from '../../../../src/connector/presence/sent-lines.ts';

test('an answer of the server passes the lines written before the question, and no later ones', () => {
  const lines = new SentLines();
  lines.wrote('before', { channel: '#room', at: 1 });
  const answered = lines.ask();
  lines.wrote('after', { channel: '#room', at: 1 });

  answered?.(true);

  expect(lines.fateOf('before')).toEqual({ isOnLink: true, isPassed: true });
  expect(lines.fateOf('after')).toEqual({ isOnLink: true, isPassed: false });
});

test('one question is open at a time, and one without an answer decides nothing', () => {
  const lines = new SentLines();
  lines.wrote('line', { channel: '#room', at: 1 });
  const answered = lines.ask();

  expect(lines.ask()).toBeUndefined();
  answered?.(false);

  expect(lines.fateOf('line').isPassed).toBe(false);
  expect(lines.ask()).toBeDefined();
});

test('lines that came to an end are forgotten', () => {
  const lines = new SentLines();
  for (const tag of ['done', 'open']) lines.wrote(tag, { channel: '#room', at: 1 });

  lines.keep(new Set(['open']));

  expect([lines.has('done'), lines.has('open')]).toEqual([false, true]);
});
