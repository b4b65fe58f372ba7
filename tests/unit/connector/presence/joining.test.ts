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

function join() {
  const asked: string[] = [];
  const joining = new Joining(() => ({
    ...silentSession,
    joinedChannels: ['#room'],
    join: (channel) => void asked.push(channel),
  }));
  joining.channels = ['#room', '#Ops'];
  return { joining, asked };
}

test('a channel that does not let the account in is asked for once in half a minute, however often it is told to go online', async () => {
  const { joining, asked } = join();

  for (let n = 0; n < 100; n += 1) {
    joining.askForAll();
    await vi.advanceTimersByTimeAsync(SECOND_MS / 4);
  }
  expect(asked).toEqual(['#Ops']);
  await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
  joining.askForAll();

  expect(asked).toEqual(['#Ops', '#Ops']);
});

test('a channel that the account was kicked from is asked for at once when somebody wants it there, and else after a while', async () => {
  const { joining, asked } = join();
  joining.askForAll();
  joining.kickedFrom('#Ops');

  joining.askForAll();
  expect(asked).toEqual(['#Ops', '#Ops']);
  joining.kickedFrom('#Ops');
  await vi.advanceTimersByTimeAsync(7 * SECOND_MS);

  expect(asked).toEqual(['#Ops', '#Ops', '#Ops']);
});

test('a channel that refused just now is asked for when that is planned, also when somebody wants the account there meanwhile', async () => {
  const { joining, asked } = join();
  joining.kickedFrom('#Ops');
  await vi.advanceTimersByTimeAsync(7 * SECOND_MS);
  expect(asked).toEqual(['#Ops']);

  joining.askForAll();
  expect(asked).toEqual(['#Ops']);
  await vi.advanceTimersByTimeAsync(20 * SECOND_MS);

  expect(asked).toEqual(['#Ops', '#Ops']);
  joining.stop();
});
