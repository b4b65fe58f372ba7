import { expect, test } from 'vitest';
import { Flush } from '../../../../src/connector/bouncer/flush.ts';
import { parseLine } from '../../../../src/connector/irc/line.ts';
import { VirtualTime } from '../../../harness/virtual-time.ts';

test('a session without messages ends its wait at once', async () => {
  const { flush, lines } = flushed();

  expect(await flush.done(1_000)).toBe(true);
  expect(lines).toEqual([]);
});

test('messages are handled when soju has answered a ping behind the last of them', async () => {
  const { flush, lines, answer } = flushed();
  flush.wrote();
  const done = flush.done(60_000);
  flush.wrote();

  expect([answer(lines.at(-1)), lines.length]).toEqual([true, 2]);
  expect(answer(lines.at(-1))).toBe(true);
  expect(await done).toBe(true);
  expect(await flush.done(60_000)).toBe(true);
  expect(lines).toHaveLength(2);
});

test.each(['homeport', 'flush-', 'flush-0', 'flush-2', 'flush-NaN', 'flush--1', 'flush-1e9'])(
  'the answer to a ping with %s is no proof',
  async (token) => {
    const { flush } = flushed();
    flush.wrote();
    const done = flush.done(60_000);

    flush.take(parseLine(`:soju PONG soju ${token}`));
    flush.end();

    expect(await done).toBe(false);
  },
);

test('a flush ends at its deadline, at the next one, and when the connection ends', async () => {
  using time = new VirtualTime();
  const { flush } = flushed();
  flush.wrote();

  expect(await time.pass(flush.done(1_000))).toBe(false);
  const replaced = flush.done(60_000);
  const ended = flush.done(60_000);
  flush.end();
  expect([await replaced, await ended]).toEqual([false, false]);
});

/** A flush, what it has written, and soju's answer to a line of it. */
function flushed() {
  const lines: string[] = [];
  const flush = new Flush((line) => lines.push(line));
  const answer = (line: string | undefined): boolean =>
    flush.take(parseLine(`:soju PONG soju ${line?.replace('PING ', '')}`));
  return { flush, lines, answer };
}
