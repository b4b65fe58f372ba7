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

test('a channel that does not let the account in is asked for once in half a minute, however often it is told to go online', async () => {
  const asked: string[] = [];
  const joining = new Joining(() => ({
    ...silentSession,
    joinedChannels: ['#room'],
    join: (channel) => void asked.push(channel),
  }));
  joining.channels = ['#room', '#Ops'];

  for (let n = 0; n < 100; n += 1) {
    joining.reset();
    joining.askForAll();
    await vi.advanceTimersByTimeAsync(SECOND_MS / 4);
  }
  expect(asked).toEqual(['#Ops']);
  await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
  joining.askForAll();

  expect(asked).toEqual(['#Ops', '#Ops']);
});
