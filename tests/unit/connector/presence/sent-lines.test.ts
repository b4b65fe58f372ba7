import { expect, test } from 'vitest';
import { SentLines } from '../../../../src/connector/presence/sent-lines.ts';

test('an answer of the server passes the lines written before the question, and no later ones', () => {
  const lines = new SentLines();
  lines.wrote('before', { channel: '#room', at: 1 });
  const answered = lines.ask();
  lines.wrote('after', { channel: '#room', at: 1 });

  answered?.(true);

  expect([lines.isPassed('before'), lines.isPassed('after')]).toEqual([true, false]);
});

test('one question is open at a time, and one without an answer decides about no line', () => {
  const lines = new SentLines();
  lines.wrote('line', { channel: '#room', at: 1 });
  const answered = lines.ask();

  expect(lines.ask()).toBeUndefined();
  answered?.(false);

  expect(lines.isPassed('line')).toBe(false);
  expect(lines.ask()).toBeDefined();
});

test('lines that came to an end are forgotten', () => {
  const lines = new SentLines();
  for (const tag of ['done', 'open']) lines.wrote(tag, { channel: '#room', at: 1 });

  lines.keep(new Set(['open']));

  expect([lines.has('done'), lines.has('open')]).toEqual([false, true]);
});

test('a line of a channel is undecided until the server has answered a later question, or for a while', () => {
  const lines = new SentLines();
  lines.wrote('old and silent', { channel: '#room', at: 1 });
  lines.wrote('passed', { channel: '#room', at: 8 });
  lines.ask()?.(true);
  expect(lines.undecidedIn('#room', 5)).toBeUndefined();

  lines.wrote('new', { channel: '#room', at: 9 });

  expect([lines.undecidedIn('#room', 5), lines.undecidedIn('#Ops', 5), lines.undecidedIn('#room', 9)]).toEqual([
    9,
    undefined,
    undefined,
  ]);
});
