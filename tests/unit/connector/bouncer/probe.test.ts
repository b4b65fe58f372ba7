import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Probe } from '../../../../src/connector/bouncer/probe.ts';

const END_OF_WHOIS = '318';
const DEADLINE_MS = 10_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('each answer ends the oldest question and no other', async () => {
  const { probe, answers } = asked(2);

  probe.take(END_OF_WHOIS);
  probe.take('311');
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);

  expect(await Promise.all(answers)).toEqual([true, false]);
});

test('an answer that comes too late is not taken for that of a later question', async () => {
  const { probe, answers } = asked(1);
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  const second = probe.answers(() => undefined, DEADLINE_MS);

  probe.take(END_OF_WHOIS);
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);

  expect([await answers[0], await second]).toEqual([false, false]);
});

test('an answer that never came stops being waited for', async () => {
  const { probe } = asked(1);
  await vi.advanceTimersByTimeAsync(DEADLINE_MS + 60_000);
  const second = probe.answers(() => undefined, DEADLINE_MS);

  probe.take(END_OF_WHOIS);

  expect(await second).toBe(true);
});

test('no more than sixteen questions are open, and a new connection owes no answers', async () => {
  const { probe, written, answers } = asked(17);
  expect([written.length, await answers[16]]).toEqual([16, false]);

  probe.reset();
  const next = probe.answers(() => undefined, DEADLINE_MS);
  probe.take(END_OF_WHOIS);

  expect([await answers[0], await next]).toEqual([false, true]);
});

/** Sends `count` questions and returns the promises of their answers. */
function asked(count: number) {
  const probe = new Probe();
  const written: number[] = [];
  const answers = Array.from({ length: count }, (_, n) => probe.answers(() => written.push(n), DEADLINE_MS));
  return { probe, written, answers };
}
