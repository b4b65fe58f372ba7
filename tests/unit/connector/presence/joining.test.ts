import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Joining } from '../../../../src/connector/presence/joining.ts';
import { silentSession } from '../../../harness/bouncer-double.ts';

const SECOND_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('eight JOINs on request go out in half a minute, for any number of requests, and one more after it', async () => {
  const { joining, asked } = join();

  for (let n = 0; n < 60; n += 1) {
    joining.askForAll();
    await vi.advanceTimersByTimeAsync(SECOND_MS / 4);
  }
  expect(asked).toEqual(Array.from({ length: 8 }, () => '#Ops'));
  await vi.advanceTimersByTimeAsync(16 * SECOND_MS);

  expect(asked).toHaveLength(9);
  joining.stop();
});

test('a channel that has just refused is asked for again as soon as the person goes online again', () => {
  const { joining, asked } = join();

  joining.askForAll();
  joining.askForAll();

  expect(asked).toEqual(['#Ops', '#Ops']);
});

test('a channel that the account was kicked from is asked for after a while, and again when it refuses', async () => {
  const { joining, asked } = join();
  joining.leftFrom('#Ops');

  await vi.advanceTimersByTimeAsync(7 * SECOND_MS);
  expect(asked).toEqual(['#Ops']);
  await vi.advanceTimersByTimeAsync(20 * SECOND_MS);

  expect(asked).toEqual(['#Ops', '#Ops']);
  joining.stop();
});

test('a channel that is not enabled is left at once, and only now and then where a server brings the account there all the time', async () => {
  const { joining, parted } = join();

  joining.strayedInto('#OPS');
  for (let n = 0; n < 20; n += 1) joining.strayedInto('#stray');
  expect(parted).toEqual(Array.from({ length: 8 }, () => '#stray'));
  await vi.advanceTimersByTimeAsync(30 * SECOND_MS);

  expect(parted).toHaveLength(9);
  joining.stop();
});

function join() {
  const asked: string[] = [];
  const parted: string[] = [];
  const joining = new Joining(() => ({
    ...silentSession,
    joinedChannels: ['#room', '#stray'],
    join: (channel) => void asked.push(channel),
    part: (channel) => void parted.push(channel),
  }));
  joining.channels = ['#room', '#Ops'];
  return { joining, asked, parted };
}
